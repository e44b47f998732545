package claimearly

import (
	_ "embed"
	"errors"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/sectionedit"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator sets a flag in the critical section that tests it.
var Operator = &mutate.Operator{
	Name: "claimearly",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Panic: 5, evidence.TestFailure: 4, evidence.Race: 1.5,
		evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Timeout: 2,
	},
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.DoubleClose, evidence.AtomicityViolation},
	Needs:  "flag that is asked under a lock, and set under a later acquisition of it",
	Edits:  edits,
	Apply:  apply,
}

// formState sets a value of its own in the first section, and leaves the later assignment.
const formState = "state"

// formRemove takes an entry out in the section that finds it.
const formRemove = "remove"

const noteRemove = "taken out where it is found: another goroutine may find it in between"

// besideState is the belief in setting the last state at once where there is one on the
// way to it. Guessed.
const besideState = 0.8

const note = "set where it is tested: another goroutine may come in between"

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, c := range claims(fn) {
		if c.removes {
			e := c.edit()
			e.Form, e.Note = formRemove, noteRemove
			out = append(out, e)
			continue
		}
		states := c.states()
		if plain := c.edit(); !c.published() {
			if len(states) > 0 {
				plain.Doubt(besideState)
			}
			out = append(out, plain)
		}
		for _, name := range states {
			e := c.edit()
			e.Form, e.Expr = formState, name
			out = append(out, e)
		}
	}
	return out
}

// edit is the edit that moves the assignment.
func (c *claim) edit() mutate.Edit {
	covered := append(c.first.section[:len(c.first.section):len(c.first.section)], c.between...)
	e := c.fn.NewEdit("claimearly", c.first.anchor, append(covered, c.set)...)
	e.Other, e.Count, e.Lock, e.Note = c.fn.ID(c.set), len(c.between), &c.first.lock, note
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	for fn := m.Function(e.File, e.Other); fn != nil; fn = around(m, e.File, fn) {
		for _, c := range claims(fn) {
			if fn.ID(c.first.anchor) == e.Node && fn.ID(c.set) == e.Other {
				return c.apply(m, e)
			}
		}
	}
	return mutate.Refuse(e, "there is no flag to set earlier")
}

// around is the function around a function literal; nil for a declared function.
func around(m *mutate.Mutation, file string, fn *mutate.Function) *mutate.Function {
	if _, literal := fn.Node.(*ast.FuncLit); !literal {
		return nil
	}
	return m.Function(file, fn.ID(fn.Node)-1)
}

func (c *claim) apply(m *mutate.Mutation, e mutate.Edit) error {
	set, anchor := m.StmtOf(e.File, c.set), m.StmtOf(e.File, c.first.anchor)
	if set == nil || anchor == nil {
		return mutate.Refuse(e, "another edit changed the assignment or the test")
	}
	now, err := c.assignment(set, e)
	if err != nil {
		return err
	}
	if err := c.write(m, e); err != nil {
		return err
	}
	if e.Form != formState {
		if err := c.takeOut(m, e); err != nil {
			return err
		}
	}
	if c.first.asked != nil {
		return c.section(m, e, anchor, now)
	}
	if c.first.result != nil {
		return c.returnCopy(m, e, anchor, now)
	}
	if len(c.tests) > 0 && !c.exact {
		if err := c.testInside(m, e, anchor); err != nil {
			return err
		}
	}
	return m.Insert(e.File, anchor, false, now)
}

// testInside moves the release behind the test, which releases by itself where it leaves.
func (c *claim) testInside(m *mutate.Mutation, e mutate.Edit, release dst.Stmt) error {
	var errs []error
	for _, b := range branches(c.tests[0]) {
		early := m.Call(c.first.lock, "Unlock", "")
		errs = append(errs, m.Insert(e.File, m.StmtOf(e.File, b.body[0]), false, early))
	}
	errs = append(errs, m.Move(e.File, release, m.StmtOf(e.File, c.tests[0]), true))
	return errors.Join(errs...)
}

// assignment is what goes into the first section.
func (c *claim) assignment(set dst.Stmt, e mutate.Edit) (dst.Stmt, error) {
	now := dst.Clone(set).(dst.Stmt)
	if e.Form == formState {
		list, err := tree.Snippet(types.ExprString(c.flag) + " = " + e.Expr)
		if err != nil {
			return nil, err
		}
		now = list[0]
	}
	now.Decorations().Start.Prepend("// " + e.Note)
	return now, nil
}

// write makes the first section one of the write side.
func (c *claim) write(m *mutate.Mutation, e mutate.Edit) error {
	if !c.first.read {
		return nil
	}
	at := e
	at.Node = c.fn.ID(c.first.acquire)
	s, err := sectionedit.Of(m, at)
	if err != nil {
		return err
	}
	return s.Writes()
}

// takeOut removes the later assignment, with its section where nothing else is in it.
func (c *claim) takeOut(m *mutate.Mutation, e mutate.Edit) error {
	var errs []error
	for _, s := range c.goes {
		stmt := m.StmtOf(e.File, s)
		if stmt == nil {
			return mutate.Refuse(e, "another edit changed the section of the assignment")
		}
		if s == c.set {
			stmt.Decorations().Start, stmt.Decorations().End = nil, nil // its comments move with it
		}
		errs = append(errs, m.Remove(e.File, stmt))
	}
	return errors.Join(errs...)
}

// returnCopy lets a literal return what the flag was.
func (c *claim) returnCopy(m *mutate.Mutation, e mutate.Edit, anchor, now dst.Stmt) error {
	ret, ok := anchor.(*dst.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return mutate.Refuse(e, "another edit changed the return")
	}
	name := scope.FreeName(c.fn, "was")
	copied := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(name)}, Tok: token.DEFINE, Rhs: []dst.Expr{dst.Clone(ret.Results[0]).(dst.Expr)}}
	ret.Results = []dst.Expr{dst.NewIdent(name)}
	return m.Insert(e.File, anchor, false, copied, now)
}
