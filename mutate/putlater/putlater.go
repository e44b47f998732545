package putlater

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator gives memory back when its last user is done.
var Operator = &mutate.Operator{
	Name: "putlater",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 5, evidence.TestFailure: 4, evidence.Panic: 4,
		evidence.Deadlock: 0.1, evidence.Blocked: 0.1, evidence.Timeout: 0.2,
	},
	Faults: []evidence.Fault{evidence.ReusedMemory},
	Needs:  "value that is given back to its pool while it is still used",
	Edits:  edits,
	Apply:  apply,
}

// Forms of the edit.
const (
	behind    = "behind"
	goroutine = "goroutine"
	receiver  = "receiver"
)

// nearby is what an edit has of the heat of the places that use the memory.
const nearby = 0.95

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, p := range plansFor(fn) {
		e := fn.NewEdit("putlater", p.gift.stmt)
		e.Form, e.Other, e.Note = p.form, fn.ID(fn.Node), p.note
		for _, s := range p.near {
			first, last := fn.Program.Fset.Position(s.From).Line, fn.Program.Fset.Position(s.To).Line
			e.Heat = max(e.Heat, nearby*fn.Narrowing.Hottest(s.File, first, last))
		}
		if p.form == receiver {
			e.Doubt(0.8) // it may keep what it got
		}
		out = append(out, e)
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Other)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	for _, p := range plansFor(fn) {
		if p.form == e.Form && fn.ID(p.gift.stmt) == e.Node {
			return p.make(m, e)
		}
	}
	return mutate.Refuse(e, "nothing is given back too early here")
}
