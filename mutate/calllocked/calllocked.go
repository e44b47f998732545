package calllocked

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/sectionedit"
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
	Faults: []evidence.Fault{evidence.SelfDeadlock},
	Needs:  "call under a lock of a function of the program that takes the lock itself",
	Edits:  edits,
	Apply:  apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		if s.Again {
			continue
		}
		if calls := relocking(fn, s, s.Read); len(calls) > 0 {
			out = append(out, edit(fn, s, calls))
		}
		if calls := relocking(fn, s, false); s.Read && s.Lock.RW && writes(calls) && !held.ByCaller(fn, s.Lock.Key) {
			e := edit(fn, s, calls)
			e.Form = upgrade
			e.Note = changes(calls, s.Lock.Expr)
			out = append(out, e)
		}
	}
	out = append(out, entryEdits(fn)...)
	for _, r := range requests(fn) {
		out = append(out, r.edit(fn))
	}
	return out
}

// upgrade is the form of the edits that take the write side of a lock from the
// start, because of a call that takes it for writing.
const upgrade = "upgrade"

// writes reports whether one of some calls takes a lock for writing.
func writes(calls []locked.Call) bool {
	return slices.ContainsFunc(calls, func(c locked.Call) bool { return !c.To.Read })
}

// names are the functions called as they are written; without those that only
// read unless reading says so.
func names(calls []locked.Call, reading bool) string {
	var names []string
	for _, c := range calls {
		if name := types.ExprString(c.Expr.Fun); (reading || !c.To.Read) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// changes says why a lock is taken for writing although only what is called writes.
func changes(calls []locked.Call, lock string) string {
	for _, c := range calls {
		for _, a := range c.To.Accesses(c.To.Body) {
			if a.Write && !c.To.Read {
				return a.Var.Name() + " is changed here as well as read"
			}
		}
	}
	return names(calls, false) + " changes what " + lock + " guards"
}

// relocking lists the calls in a section of functions that take its lock; with
// reading, those of functions that take it for reading.
func relocking(fn *mutate.Function, s *mutate.Section, reading bool) []locked.Call {
	var found []locked.Call
	statements := fn.Statements()
	for _, c := range locked.CallsNow(fn) {
		if !s.Covers(mutate.Innermost(statements, c.Expr).Stmt) || !held.Acquires(fn, c.Expr, s.Lock.Key) {
			continue
		}
		for _, to := range locked.Of(c.To, s.Lock.Key) {
			if locked.SameLock(fn, c.Name(to.Lock), s) && (to.Read || !reading) && locked.CanCall(fn, c.Expr, to) {
				found = append(found, locked.Call{Expr: c.Expr, To: to})
			}
		}
	}
	return found
}

// edit is the edit of a section. It is as hot as what its goroutine waits for.
func edit(fn *mutate.Function, s *mutate.Section, calls []locked.Call) mutate.Edit {
	var stmts []ast.Stmt
	statements := fn.Statements()
	for _, c := range calls {
		if st := mutate.Innermost(statements, c.Expr).Stmt; !slices.Contains(stmts, st) {
			stmts = append(stmts, st)
		}
	}
	e := fn.NewEdit("calllocked", s.Acquire, stmts...)
	e.Lock, e.Read = &s.Lock, s.Read
	e.Note = names(calls, true) + " would take " + s.Lock.Expr + " again"
	for _, c := range calls {
		e.Heat = max(e.Heat, c.To.WaitHeat())
	}
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case withdraw:
		return applyWithdraw(m, e)
	case entry:
		return applyEntry(m, e)
	}
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	calls := relocking(s.Fn, s.Section, s.Read && e.Form != upgrade)
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
	if err := locked.CallUnlocked(m, e, calls); err != nil || e.Form != upgrade {
		return err
	}
	if err := s.Writes(); err != nil {
		return err
	}
	return s.Explain(s.Acquire, e.Note)
}
