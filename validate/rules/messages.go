package rules

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/mutate"
	"mendel/validate/halves/channels"
)

// What passing schedules of the original deliver, a mutant must deliver, too.
//
// Guided runs take the mutant along them (checker.Search.Expect). It can follow
// only as far as it does the same: a channel that has got a buffer takes two
// steps instead of one. So there is more than one guided run of each schedule,
// and a message is dropped only if all of them lose it. If the mutant has default
// cases that the original does not have, other guided runs take these wherever a
// partner may be late; a message that all of those lose is dropped as well.

// A channelSite is where channels are made, as a line of the original, and the
// type of their elements.
type channelSite struct {
	line
	element string
}

// A message stands for all messages that are alike.
type message struct {
	channelSite
	value  string
	closed bool
}

// guidedRuns are the runs of a mutant along one schedule.
type guidedRuns struct{ plain, declining []checker.Delivered }

// A guided compares what a mutant delivers along guided runs with what it has to.
type guided struct {
	program *analysis.Program // the original
	mutant  *mutate.Mutant
}

// Dropped is where a mutant breaks [DroppedMessage]: it compares what the mutant delivered with what
// the original delivers, along the same schedules; nil if nothing is missing, or nothing could be compared.
func Dropped(p *analysis.Program, m *mutate.Mutant, expected, got []checker.Delivered) *Breach {
	return guided{p, m}.dropped(expected, got)
}

func (g guided) dropped(expected, got []checker.Delivered) *Breach {
	along := map[checker.Schedule]*guidedRuns{}
	for _, d := range got {
		l := along[d.Schedule]
		if l == nil {
			l = &guidedRuns{}
			along[d.Schedule] = l
		}
		switch {
		case !d.Way.Declines():
			l.plain = append(l.plain, d)
		case d.Declined > 0:
			l.declining = append(l.declining, d)
		}
	}
	for _, want := range expected {
		l := along[want.Schedule]
		if l == nil {
			continue
		}
		for _, ways := range [][]checker.Delivered{l.plain, l.declining} {
			if b := g.lostInAll(want.Messages, ways); b != nil {
				b.What += fmt.Sprintf(", along a schedule of %s that the original passes (%d compared)", want.Schedule.Test, len(along))
				return b
			}
		}
	}
	return nil
}

// lostInAll returns what the first of several guided runs loses, if each loses
// something.
func (g guided) lostInAll(want []sched.Delivery, ways []checker.Delivered) (first *Breach) {
	for _, way := range ways {
		b := g.lost(want, way.Messages)
		if b == nil {
			return nil
		}
		if first == nil {
			first = b
		}
	}
	return first
}

// lost returns a message that was not received. Messages are the same when their
// values are equal. A value received from a closed channel stands for the zero
// value that was sent. A message received with another value, such as a count, is
// not lost.
func (g guided) lost(want, got []sched.Delivery) *Breach {
	have := map[message]int{}
	for _, d := range got {
		at := line{d.File, d.Line}
		if _, changed := g.mutant.Files[d.File]; changed {
			at.number = g.mutant.OriginalLine(d.File, d.Line)
		}
		have[message{channelSite{at, d.Type}, d.Value, d.Closed}] += d.Count
	}
	type missing struct {
		value string
		count int
	}
	var sites []channelSite // in order
	lack := map[channelSite]missing{}
	for _, d := range want {
		if d.Closed {
			continue
		}
		site := channelSite{line{d.File, d.Line}, d.Type}
		n := d.Count
		for _, closed := range []bool{false, true} {
			l := message{site, d.Value, closed}
			taken := min(n, have[l])
			have[l] -= taken
			n -= taken
		}
		if n > 0 {
			if lack[site].count == 0 {
				sites = append(sites, site)
			}
			lack[site] = missing{d.Value, lack[site].count + n}
		}
	}
	spare := map[string]int{} // messages more than before to other channels, by their elements
	for l, n := range have {
		switch one, ok := lack[l.channelSite]; {
		case l.closed:
		case ok:
			one.count -= n
			lack[l.channelSite] = one
		default:
			spare[l.element] += n
		}
	}
	for _, site := range sites {
		if one := lack[site]; one.count > 0 && Given(g.mutant) { // people make a channel elsewhere, too
			moved := min(one.count, spare[site.element])
			spare[site.element] -= moved
			one.count -= moved
			lack[site] = one
		}
		if one := lack[site]; one.count > 0 && !(site.element == signal && onlyPolled(g.program)) && !g.abandoned(site) {
			what := "a message to the channel of " + site.element + " made here"
			if one.value != "" && one.value != "{}" {
				what += ", " + one.value + ","
			}
			file := site.file
			if f := g.program.File(file); f != nil {
				file = f.Rel
			}
			return &Breach{DroppedMessage, file, site.number, what + " is not received"}
		}
	}
	return nil
}

// abandoned reports whether a channel has room in a mutant, and in the original its senders wait for
// ever where the function that receives has returned: what it did not want to wait for any more stays
// in the channel then, and whoever has both the message and a reason to return may take either.
func (g guided) abandoned(site channelSite) bool {
	f := g.program.File(site.file)
	if f == nil || !slices.ContainsFunc(channels.Abandoned(g.program), func(p token.Position) bool { return p.Filename == f.Name && p.Line == site.number }) {
		return false
	}
	c, err := Of(g.program, g.mutant)
	if err != nil || c == nil {
		return false
	}
	for _, pkg := range c.Packages {
		for _, now := range pkg.Files {
			if now.Name != f.Name {
				continue
			}
			return syntax.Any(now.AST, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				return ok && syntax.Builtin(pkg.Info, call) == "make" && len(call.Args) == 2 &&
					g.mutant.OriginalLine(f.Name, c.Fset.PositionFor(call.Pos(), false).Line) == site.number
			})
		}
	}
	return false
}

// signal is the type of elements of channels that only wake somebody.
const signal = "struct {}"

// onlyPolled reports whether a program sends signals only where somebody receives at once: each such send
// is a case of a select with a default. Whoever drops signals himself does not count them: with room in the
// channel one stays there for the next time.
func onlyPolled(p *analysis.Program) bool {
	polled, others := 0, 0
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if f.Test {
				continue
			}
			syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) {
				s, ok := n.(*ast.SendStmt)
				if !ok {
					return
				}
				if t := pkg.Info.TypeOf(s.Value); t == nil || types.TypeString(t.Underlying(), nil) != "struct{}" {
					return
				}
				if sel, ok := selectOf(path); ok && syntax.HasDefault(sel) {
					polled++
				} else {
					others++
				}
			})
		}
	}
	return polled > 0 && others == 0
}

// selectOf is the select that the statement which a path leads to is a case of.
func selectOf(path []ast.Node) (sel *ast.SelectStmt, ok bool) {
	if len(path) >= 3 {
		sel, ok = path[len(path)-3].(*ast.SelectStmt)
	}
	return sel, ok
}
