package join

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/waitgroups"
)

//go:embed doc.go
var doc string

// Operator waits for goroutines before their results are used.
var Operator = &mutate.Operator{
	Name: "join",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 3, evidence.TestFailure: 3, evidence.Panic: 2,
		evidence.Deadlock: 0.5, evidence.Blocked: 0.5, evidence.Timeout: 0.5,
	},
	Faults: []evidence.Fault{evidence.WaitNotForAll},
	Needs:  "goroutine that can be waited for before what it writes is used",
	Edits:  edits,
	Apply:  apply,
}

// Forms of an edit.
const (
	moved   = "moved"   // a Wait that comes too late or too early
	added   = "added"   // the group has no Wait
	group   = "group"   // there is no group
	channel = "channel" // there is no group, and a channel does for one goroutine
	owner   = "owner"   // the group is in a field, beside what is used
	// ownerBehind is owner behind what tells the goroutines to end.
	ownerBehind = "owner behind"
	ends        = "ends"        // a goroutine closes a channel in a field as it ends
	endsBehind  = "ends behind" // the same, behind the last statement
)

func edits(fn *mutate.Function) []mutate.Edit {
	goroutines := waitgroups.Goroutines(fn)
	calls := waitgroups.Calls(fn)
	out := append(endings(fn), unawaited(fn)...)
	if len(goroutines) == 0 {
		return append(out, awaited(fn, calls)...)
	}
	grouped := len(calls) > 0 || slices.ContainsFunc(goroutines, func(g waitgroups.Goroutine) bool { return len(g.Calls) > 0 })
	for _, u := range unjoined(fn, goroutines) {
		e, ok := u.edit(calls)
		if !ok {
			continue
		}
		if c, ok := u.byChannel(e); ok {
			less := &e
			if grouped && !u.collects { // the group is for those that send
				less = &c
			}
			less.Doubt(secondForm)
			out = append(out, c)
		}
		out = append(out, e)
	}
	return out
}

// secondForm is the belief in a group where a channel does, and
// of a channel where the function uses groups anyway. Chosen, not measured.
const secondForm = 0.95

// edit puts a Wait before the use of what goroutines write. ok is false where
// there is one already, or the group is somebody else's.
func (u use) edit(calls []waitgroups.Call) (e mutate.Edit, ok bool) {
	fn := u.fn
	covered := []ast.Stmt{u.at}
	for _, g := range u.starts {
		covered = append(covered, g.Go)
	}
	e = fn.NewEdit("join", u.first, covered...)
	e.Other = fn.ID(u.at)
	e.Vars, e.Note = u.names(), u.note()
	if u.end {
		e.Doubt(endDiscount)
	}
	groups := u.groups()
	if len(groups) == 0 {
		e.Form, e.Expr = group, scope.FreeName(fn, "wg")
		if e.Expr != "wg" { // it is another one's
			e.Expr = scope.FreeName(fn, "pending")
		}
		return e, u.movable() && !jumped(fn, u.first)
	}
	if len(groups) > 1 || !waitgroups.Local(fn, groups[0]) || !scope.Means(fn, receiverOf(u, groups[0]), u.at.Pos()) {
		return e, false
	}
	e.Expr = groups[0].String()
	waits := waitgroups.Select(calls, "Wait", groups[0])
	switch {
	case waitsElsewhere(fn, groups[0], len(waits)):
		return e, false
	case len(waits) == 0:
		e.Form = added
		return e, true
	case len(waits) > 1 || !waits[0].Alone() || waits[0].Deferred():
		return e, false
	}
	e.Form = moved
	return e, u.misplaced(waits[0])
}

// endDiscount is what it takes off the heat when the function itself uses no
// result: it may well be meant not to wait. Guessed.
const endDiscount = 0.7

// misplaced reports whether a Wait neither stands between the goroutines and the
// use nor in a statement around both.
func (u use) misplaced(w waitgroups.Call) bool {
	last := u.starts[len(u.starts)-1].Go
	return !(last.End() <= w.At.Stmt.Pos() && w.At.Stmt.Pos() < u.at.Pos()) && u.at != w.At.Stmt
}
