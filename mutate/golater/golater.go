package golater

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator starts a goroutine behind what sets the variables that it uses.
var Operator = &mutate.Operator{
	Name: "golater",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.Panic: 4, evidence.TestFailure: 3,
		evidence.Deadlock: 1, evidence.Blocked: 1, evidence.Timeout: 1,
	},
	Faults: []evidence.Fault{evidence.OrderViolation},
	Needs:  "go statement before what sets a variable that the goroutine uses",
	Edits:  edits,
	Apply:  apply,
}

// exits is the form that moves over early exits.
const leaving = "exits"

// note is the comment at the moved start.
const note = "started last: it uses what is set before"

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, form := range []string{"", leaving} {
		if p := planFor(fn, form); p != nil {
			out = append(out, p.edit())
		}
	}
	return out
}

// edit is as near to the evidence as the uses that it puts in order.
func (p *plan) edit() mutate.Edit {
	e := p.fn.NewEdit("golater", p.starts[0], p.between...)
	e.Form, e.Count, e.Note = p.form, len(p.between), note
	for _, a := range p.ordered {
		heat, _ := a.in.Narrowing.HeatAt(a.Expr.Pos())
		e.Heat = max(e.Heat, heat)
	}
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	p := planFor(fn, e.Form)
	if p == nil || len(p.between) != e.Count || fn.ID(p.starts[0]) != e.Node {
		return mutate.Refuse(e, "the goroutine cannot be started later")
	}
	return p.make(m, e)
}

// make drops what ends the goroutines in exits, and moves their starts.
func (p *plan) make(m *mutate.Mutation, e mutate.Edit) error {
	for _, s := range p.needless {
		if err := m.Remove(e.File, m.StmtOf(e.File, s)); err != nil {
			return err
		}
	}
	anchor := p.between[len(p.between)-1]
	for i, s := range p.starts {
		start, to := m.StmtOf(e.File, s), m.StmtOf(e.File, anchor)
		if start == nil || to == nil {
			return mutate.Refuse(e, "another edit changed what is to be moved")
		}
		if err := m.Move(e.File, start, to, true); err != nil {
			return err
		}
		if i == 0 {
			start.Decorations().Start.Append("// " + e.Note)
		}
		anchor = s
	}
	return nil
}
