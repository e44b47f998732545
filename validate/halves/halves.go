package halves

import (
	"go/token"

	"mendel/analysis"
	"mendel/validate/halves/channels"
	"mendel/validate/halves/memory"
	"mendel/validate/halves/pair"
)

// Find finds the places in a program some packages of which are replaced, as
// [analysis.Program.Recheck] returns them.
func Find(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) []pair.Finding {
	return find(pair.New(p, fset, pkgs), false)
}

// Certain is Find for what is wrong whatever the patch is: goroutines that are left sending alone, or not
// counted down or count themselves, atomic variables that are asked and changed in two steps, and lists that are
// given away, or filled again when they were, waiters that are woken one by one, or not at all behind a change that
// others wake them for, values that are put together of several moments, what is handed over and lost, results that
// are cut short, ends that do not wait as their documentation promises, what was taken and is lost, and
// what is stored after an end, channels that goroutines leave open on some ways out, sends that are given up
// only when the caller's context ends, and waits that do not ask again.
func Certain(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) []pair.Finding {
	return find(pair.New(p, fset, pkgs), true)
}

// A finder is what finds places of one sort.
type finder struct {
	find    pair.Finder
	certain bool // what it finds is wrong whatever the patch is
}

// finders are all that there are, in the order in which is told what they find.
var finders = []finder{
	{memory.Lent, false},
	{clones, false},
	{channels.Exits, false},
	{memory.PutBack, false},
	{stops, false},
	{groups, false},
	{channels.Senders, true},
	{dones, true},
	{adds, true},
	{steps, true},
	{gates, true},
	{memory.Handouts, true},
	{memory.Pointers, true},
	{memory.Emptied, true},
	{memory.Kept, true},
	{memory.Borrowed, true},
	{memory.ChangedCopies, true},
	{signals, true},
	{unwoken, true},
	{counts, true},
	{combined, true},
	{fills, true},
	{channels.Insistent, true},
	{roused, true},
	{memory.Given, true},
	{channels.Rooms, false},
	{channels.FieldRooms, false},
	{gaps, false},
	{detached, false},
	{channels.Drops, true},
	{channels.Breaks, false},
	{channels.Stranded, true},
	{channels.CutShort, true},
	{unawaited, true},
	{unjoined, false},
	{memory.LateCopies, false},
	{channels.Drains, false},
	{channels.AskedBefore, false},
	{memory.Shallow, false},
	{lateTimers, false},
	{channels.ClosedFor, true},
	{channels.Heedless, true},
	{channels.Unclosed, true},
	{channels.OthersEnd, true},
	{losses, true},
	{early, false},
	{late, true},
	{loopless, true},
}

func find(c *pair.Change, certain bool) (found []pair.Finding) {
	for _, f := range finders {
		if f.certain || !certain {
			found = append(found, c.Find(f.find)...)
		}
	}
	return found
}
