package initbeforego

import (
	_ "embed"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator sets before a go statement what the new goroutine sets first.
var Operator = &mutate.Operator{
	Name: "initbeforego",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.Panic: 4, evidence.TestFailure: 3,
		evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3,
	},
	Faults: []evidence.Fault{evidence.OrderViolation},
	Needs:  "go statement whose goroutine first sets what others use",
	Edits:  edits,
	Apply:  apply,
}

// handed is the form in which the goroutine gets the moved channel as a parameter.
const handed = "handed"

func edits(fn *mutate.Function) []mutate.Edit {
	if b, ok := beginningOf(fn); ok {
		return []mutate.Edit{b.edit()}
	}
	p, ok := planFor(fn)
	if !ok {
		return nil
	}
	plain := p.edit()
	out := []mutate.Edit{plain}
	if h, ok := p.handing(); ok {
		e := plain
		e.Form, e.Expr = handed, h.name+" "+h.typ
		e.Doubt(0.9) // the shorter form first
		out = append(out, e)
	}
	return out
}

// edit is the plain form. What is moved is as near to the evidence as what uses it.
func (p *plan) edit() mutate.Edit {
	e := p.fn.NewEdit("initbeforego", p.moved[0], p.stmts()...)
	e.Count = len(p.moved)
	e.Note = "set before the goroutine starts, which may be late"
	for _, v := range p.shared() {
		heat, _ := p.elsewhere(v)
		e.Heat = max(e.Heat, heat)
	}
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	if e.Form == failing {
		if b, ok := beginningOf(fn); ok {
			return b.apply(m, e)
		}
		return mutate.Refuse(e, "the goroutine does not begin with what may fail")
	}
	p, ok := planFor(fn)
	if !ok || len(p.moved) != e.Count {
		return mutate.Refuse(e, "there is nothing to move before the start of the goroutine")
	}
	if e.Form == handed {
		h, ok := p.handing()
		if !ok {
			return mutate.Refuse(e, "the function cannot get the channel as a parameter")
		}
		if err := h.hand(m, e, fn); err != nil {
			return err
		}
	}
	return p.move(m, e)
}

// move puts the assignments before each start, under the names that it has for them.
func (p *plan) move(m *mutate.Mutation, e mutate.Edit) error {
	for i, s := range p.moved {
		node := m.StmtOf(e.File, s)
		if node == nil {
			return mutate.Refuse(e, "another edit changed what is to be moved")
		}
		names := p.occurrences(m, s)
		if err := takeOut(m, e.File, node); err != nil {
			return err
		}
		if i == 0 {
			node.Decorations().Start.Prepend("// " + e.Note)
		}
		for _, st := range p.starts {
			before := m.StmtOf(st.file, st.Stmt)
			if before == nil {
				return mutate.Refuse(e, "another edit changed the start of the goroutine")
			}
			names.become(node, st)
			if err := m.Insert(st.file, before, false, dst.Clone(node).(dst.Stmt)); err != nil {
				return err
			}
			if e.Form == handed {
				if err := pass(m, e, st, node); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// takeOut removes a statement, which keeps its comments.
func takeOut(m *mutate.Mutation, file string, s dst.Stmt) error {
	decs := s.Decorations()
	start, end := decs.Start, decs.End
	decs.Start, decs.End = nil, nil
	err := m.Remove(file, s)
	decs.Start, decs.End = start, end
	return err
}
