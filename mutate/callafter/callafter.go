package callafter

import (
	_ "embed"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator puts calls off until the lock is released under which they are made.
var Operator = &mutate.Operator{
	Name: "callafter",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 2, evidence.Blocked: 1.5, evidence.Timeout: 1.5,
		evidence.Race: 0.05, evidence.TestFailure: 0.2, evidence.Panic: 0.1,
	},
	Faults: []evidence.Fault{evidence.SelfDeadlock, evidence.BlockedHoldingLock, evidence.LockOrderInversion},
	Needs:  "call of a function value or an interface under a lock, behind which nothing in the section needs the lock",
	Edits:  edits,
	Apply:  apply,
}

// Where the calls wait, as Edit.Form.
const (
	inVariable = ""      // of the function that holds the lock
	inField    = "field" // of the value whose lock it is
	formLoop   = "loop"  // nowhere: what they are given is copied, and they are made in a loop behind the release
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		list := loops(fn, s)
		for _, l := range list {
			out = append(out, l.edit())
		}
		if calls := within(fn, s); slices.ContainsFunc(calls, func(c call) bool { return !inLoops(list, c) }) {
			e := fn.NewEdit("callafter", s.Acquire, statements(calls)...)
			e.Lock = &s.Lock
			out = append(out, e)
		}
	}
	if v := valueOf(fn); v != nil {
		e := fn.NewEdit("callafter", v.calls[0].stmt, statements(v.callsIn(fn))...)
		e.Form, e.Lock = inField, &v.field
		out = append(out, e)
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == inField {
		if fn := m.Function(e.File, e.Node); fn != nil {
			if v := valueOf(fn); v != nil && fn.ID(v.calls[0].stmt) == e.Node {
				return v.apply(m, e)
			}
		}
		return mutate.Refuse(e, "there is no call to put off")
	}
	if e.Form == formLoop {
		return applyLoop(m, e)
	}
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	calls := within(s.Fn, s.Section)
	if len(calls) == 0 {
		return mutate.Refuse(e, "there is no call to put off")
	}
	return applyWithin(m, e, s.Fn, s.Section, calls)
}
