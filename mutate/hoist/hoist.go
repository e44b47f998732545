package hoist

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator takes the lock of a value once around several calls of its methods.
var Operator = &mutate.Operator{
	Name: "hoist",
	Doc:  doc,
	// Races, because what a method guards may be used directly beside its call.
	Prior:    map[evidence.Kind]float64{evidence.TestFailure: 5, evidence.Panic: 5, evidence.Race: 3},
	Faults:   []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.AtomicityViolation},
	Needs:    "pair of calls of methods that take the lock of one value",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

func edits(fn *mutate.Function) []mutate.Edit {
	groups := groupsOf(fn)
	if len(groups) == 0 {
		return nil
	}
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		for _, g := range groups {
			for _, count := range g.spans(st) {
				if s, ok := planFor(fn, g, st, count); ok {
					out = append(out, s.edit())
				}
			}
		}
	}
	return out
}

// A section is what an edit makes: statements under one lock, the calls in
// which take none.
type section struct {
	fn    *mutate.Function
	group *group
	span  locking.Span
	uses  []use // in the span
	lock  analysis.Lock
	read  bool
}

// planFor plans the section of count statements from st on.
func planFor(fn *mutate.Function, g *group, st mutate.Statement, count int) (*section, bool) {
	span, ok := locking.Plan(fn, st, count)
	if !ok {
		return nil, false
	}
	s := &section{fn: fn, group: g, span: span, read: true}
	for _, u := range g.uses {
		if slices.ContainsFunc(span.Stmts, func(stmt ast.Stmt) bool { return syntax.Within(u.node, stmt) }) {
			s.uses = append(s.uses, u)
			s.read = s.read && u.reads()
		}
	}
	m := g.first
	s.lock = analysis.Lock{Expr: g.lock.String(), Key: m.Section.Lock.Key, RW: m.Section.Lock.RW}
	return s, s.right()
}

// right reports whether the lock can be held around the statements.
func (s *section) right() bool {
	stmts := s.span.Stmts
	if !locking.Visible(s.fn, s.group.lock, stmts[0]) || locking.Reassigned(s.lock.Expr, stmts) || locking.ComparesNil(s.fn, s.group.lock, stmts) {
		return false
	}
	return !held.Holds(s.fn, stmts[0], s.lock.Key) && !locking.TakenBeside(s.fn, s.lock.Key, stmts, s.hoists) &&
		!held.ByCaller(s.fn, s.lock.Key) && !locking.StartsAcquirer(s.fn, s.lock.Key, stmts)
}

// hoists reports whether a call is one of those to be hoisted.
func (s *section) hoists(call *ast.CallExpr) bool {
	return slices.ContainsFunc(s.uses, func(u use) bool { return u.node == call })
}

// edit is the edit that makes the section. What a hoisted method waits for or
// locks, it did so under the same lock before.
func (s *section) edit() mutate.Edit {
	e := s.fn.NewEdit("hoist", s.span.Stmts[0], s.span.Stmts...)
	e.Count, e.Lock, e.Read = len(s.span.Stmts), &s.lock, s.read
	e.Note = s.note()
	if held.Waits(s.fn, s.lock, s.span.Stmts...) {
		e.Flags = append(e.Flags, mutate.Blocks)
	}
	return e
}

// note names what belongs together: "nothing may come between a.Len and a.Get".
func (s *section) note() string {
	var names []string
	for _, u := range s.uses {
		if !slices.Contains(names, u.name) {
			names = append(names, u.name)
		}
	}
	if len(names) == 1 {
		return "nothing may come between the calls of " + names[0]
	}
	return "nothing may come between " + syntax.Enumerate(names)
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil || e.Lock == nil {
		return mutate.Refuse(e, "there is no such statement")
	}
	s, ok := find(fn, e)
	if !ok {
		return mutate.Refuse(e, "the calls cannot be put into one section")
	}
	if err := s.span.Lock(m, fn, e); err != nil {
		return err
	}
	var calls []locked.Call
	for _, u := range s.uses {
		if u.call != nil {
			calls = append(calls, locked.Call{Expr: u.call, To: u.method})
		}
	}
	return locked.CallUnlocked(m, e, calls)
}

// find plans the section of an edit again.
func find(fn *mutate.Function, e mutate.Edit) (*section, bool) {
	for _, g := range groupsOf(fn) {
		if g.lock.String() != e.Lock.Expr {
			continue
		}
		for _, st := range fn.Statements() {
			if fn.ID(st.Stmt) != e.Node {
				continue
			}
			for _, count := range g.spans(st) {
				if s, ok := planFor(fn, g, st, count); ok && len(s.span.Stmts) == e.Count {
					return s, true
				}
			}
		}
	}
	return nil, false
}
