package calllocked

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator calls variants that take no lock where the lock is held.
var Operator = &mutate.Operator{
	Name: "calllocked",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 5, evidence.Blocked: 5, evidence.Timeout: 4,
		evidence.Race: 0.2, evidence.Panic: 0.3, evidence.TestFailure: 0.3,
	},
	Edits: edits,
	Apply: apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		if s.Again {
			continue
		}
		if calls := relocking(fn, s); len(calls) > 0 {
			out = append(out, edit(fn, s, calls))
		}
	}
	for _, r := range requests(fn) {
		out = append(out, r.edit(fn))
	}
	return out
}

// relocking lists the calls in a section of functions that take its lock.
func relocking(fn *mutate.Function, s *mutate.Section) []mutate.LockedCall {
	var found []mutate.LockedCall
	statements := fn.Statements()
	for _, c := range fn.CallsNow() {
		if !s.Covers(mutate.Innermost(statements, c.Expr).Stmt) || !fn.Acquires(c.Expr, s.Lock.Key) {
			continue
		}
		for _, to := range c.To.Locked(s.Lock.Key) {
			if fn.SameLock(c.Name(to.Lock), s) && (to.Read || !s.Read) && fn.CanCall(c.Expr, to) {
				found = append(found, mutate.LockedCall{Expr: c.Expr, To: to})
			}
		}
	}
	return found
}

// edit is the edit of a section. It is as hot as what its goroutine waits for.
func edit(fn *mutate.Function, s *mutate.Section, calls []mutate.LockedCall) mutate.Edit {
	var stmts []ast.Stmt
	var names []string
	statements := fn.Statements()
	for _, c := range calls {
		if st := mutate.Innermost(statements, c.Expr).Stmt; !slices.Contains(stmts, st) {
			stmts = append(stmts, st)
		}
		if name := types.ExprString(c.Expr.Fun); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	e := fn.NewEdit("calllocked", s.Acquire, stmts...)
	e.Lock, e.Read = &s.Lock, s.Read
	e.Note = strings.Join(names, " and ") + " would take " + s.Lock.Expr + " again"
	for _, c := range calls {
		e.Heat = max(e.Heat, c.To.WaitHeat())
	}
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == withdraw {
		return applyWithdraw(m, e)
	}
	s, err := m.Section(e)
	if err != nil {
		return err
	}
	calls := relocking(s.Fn, s.Section)
	if len(calls) == 0 {
		return mutate.Refuse(e, "nothing in the section takes the lock again")
	}
	statements := s.Fn.Statements()
	for _, c := range calls {
		if _, err := s.Around(s.Fn.ID(mutate.Innermost(statements, c.Expr).Stmt)); err != nil {
			return err
		}
	}
	if err := s.Untouched(); err != nil {
		return err
	}
	return m.CallUnlocked(e, calls)
}
