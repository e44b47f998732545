package addlock

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/locking"
)

//go:embed doc.go
var doc string

// Operator puts code into a critical section.
var Operator = &mutate.Operator{
	Name:  locking.AddLock,
	Doc:   doc,
	CORE:  "ASAT ASIM ASM",
	Prior: map[evidence.Kind]float64{evidence.Race: 4, evidence.TestFailure: 2, evidence.Panic: 2, evidence.Deadlock: 0.5, evidence.Blocked: 0.5},
	Forms: map[string]map[evidence.Kind]float64{
		locking.Method: {evidence.Race: 2, evidence.Deadlock: 0.5, evidence.Blocked: 0.5},
		locking.Body:   {evidence.Deadlock: 0.5, evidence.Blocked: 0.5},
	},
	Faults: []evidence.Fault{evidence.DataRace, evidence.MissingLock},
	Needs:  "statement that uses a shared variable and holds none of its locks",
	Adds:   true,
	Edits:  edits,
	Apply:  apply,
}

// maxCount is how many statements a section may have: related accesses stand
// close together. Longer sections come about by expanding, but for the longest that
// there may be. Guessed.
const maxCount = 4

func edits(fn *mutate.Function) []mutate.Edit {
	out := append(locking.BodyEdits(fn), unnamed(fn)...)
	for _, st := range fn.Statements() {
		if !isEnd(fn, st.Stmt) {
			continue
		}
		for count := 1; count <= maxCount && st.Index+count <= len(st.List); count++ {
			span := st.List[st.Index : st.Index+count]
			if isEnd(fn, span[count-1]) {
				out = append(append(out, editsOf(fn, st, count)...), valueEdits(fn, st, count)...)
			}
		}
		for _, count := range longest(fn, st) {
			if count > maxCount {
				out = append(out, editsOf(fn, st, count)...)
			}
		}
		out = append(append(out, initEdits(fn, st)...), callEdits(fn, st)...)
	}
	return out
}

// mostCovered bounds the longest sections. Guessed.
const mostCovered = 20

// longest are how many statements sections have that begin with the first in a list
// that may begin one, and end with the last that may end one, but before others
// that have a section of their own, and, if that is shorter, before a call that may wait.
func longest(fn *mutate.Function, st mutate.Statement) (counts []int) {
	sections := fn.Sections()
	locks := func(s ast.Stmt) bool {
		return slices.ContainsFunc(sections, func(c *mutate.Section) bool { return s.Pos() <= c.Acquire.Pos() && c.Acquire.End() <= s.End() })
	}
	for _, before := range slices.Backward(st.List[:st.Index]) {
		if locks(before) {
			break
		}
		if isEnd(fn, before) {
			return nil
		}
	}
	count, waited := 0, false
	for i, s := range st.List[st.Index:min(len(st.List), st.Index+mostCovered)] {
		if locks(s) {
			break
		}
		if !waited && count > 0 && mayWait(fn, s) {
			counts, waited = append(counts, count), true
		}
		if isEnd(fn, s) {
			count = i + 1
		}
	}
	return slices.Compact(append(counts, count))
}

// mayWait reports whether a statement is a call that may wait for another goroutine, or
// assigns what one returns.
func mayWait(fn *mutate.Function, s ast.Stmt) bool {
	var of []ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		of = []ast.Expr{s.X}
	case *ast.AssignStmt:
		of = s.Rhs
	}
	return slices.ContainsFunc(of, func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && fn.MayWait(call)
	})
}

// isEnd reports whether a section may begin or end with a statement: it uses a
// shared variable when it is reached, not later.
func isEnd(fn *mutate.Function, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.GoStmt, *ast.DeferStmt, *ast.EmptyStmt:
		return false
	case *ast.LabeledStmt:
		return isEnd(fn, s.Stmt)
	}
	return len(fn.Changing(s)) > 0
}

// editsOf lists the edits that cover some statements, with each lock.
func editsOf(fn *mutate.Function, st mutate.Statement, count int) []mutate.Edit {
	s, ok := locking.Plan(fn, st, count)
	switch {
	case !ok:
		fn.Decline(st.Stmt, "a section of %d statements from here on would hide a variable, cut through another section or not end on every path", count)
		return nil
	case locking.Guarded(fn, s.Stmts):
		fn.Decline(st.Stmt, "all that the section would guard is under a lock already")
		return nil
	}
	locks := locking.Candidates(fn, s.Stmts[0], s.Stmts)
	if len(locks) == 0 {
		fn.Decline(st.Stmt, "no lock in scope may be taken here, and none can be declared beside what is used")
		return nil
	}
	return locking.AroundEach(fn, locks, locking.Note(fn, fn.Changing(s.Stmts...)), s.Stmts...)
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == locking.Method {
		if err := nameReceiver(m, e); err != nil {
			return err
		}
	}
	if e.Count == 0 {
		return locking.LockBody(m, e)
	}
	fn := m.Function(e.File, e.Node)
	if fn == nil || e.Lock == nil {
		return mutate.Refuse(e, "there is no such statement")
	}
	if e.Form == beforeCall {
		return applyBeforeCall(m, fn, e)
	}
	s, ok := locking.Find(fn, e)
	if !ok {
		return mutate.Refuse(e, "the statements cannot be put into a critical section")
	}
	switch e.Form {
	case initFirst:
		if err := moveInit(m, e); err != nil {
			return err
		}
	case valueFirst:
		if err := callFirst(m, fn, e); err != nil {
			return err
		}
	}
	return s.Lock(m, fn, e)
}
