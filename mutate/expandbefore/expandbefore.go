package expandbefore

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator expands a critical section over the statements before it.
var Operator = &mutate.Operator{
	Name:   "expandbefore",
	Doc:    doc,
	CORE:   "EXSB",
	Prior:  map[evidence.Kind]float64{evidence.Race: 3, evidence.TestFailure: 3, evidence.Panic: 2},
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.AtomicityViolation},
	Needs:  "section of a lock with statements before it that it could cover",
	Edits:  edits,
	Apply:  apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for k := 1; k <= min(s.At, sectionedit.MaxMoves) && !s.Again; k++ {
			crossed := s.List[s.At-k : s.At]
			calls, ok := passable(fn, s, crossed)
			if !ok {
				break
			}
			if effects.OpenLocks(fn, crossed...) != 0 || !effects.Matters(fn, crossed[0]) || !exitable(fn, s, crossed) {
				continue
			}
			e := fn.NewEdit("expandbefore", s.Acquire, crossed...)
			e.Count, e.Lock, e.Read = k, &s.Lock, s.Read
			e.Note = locking.HeldNote(fn, s.Lock.Expr, crossed[0])
			if len(calls) > 0 {
				e.Form, e.Note = formCalls, locking.CallsNote(s, calls)
			}
			e.Flags = effects.Of(fn, s, crossed...).Flags()
			out = append(out, e)
		}
	}
	return out
}

// formCalls is the form of edits that cover calls of functions which take the section's
// lock, and no longer take it.
const formCalls = "calls"

// passable reports whether the acquisition may move to before statements, of which all but the first
// are passable, and lists the calls among them of functions that are to leave the lock to their caller.
func passable(fn *mutate.Function, s *mutate.Section, crossed []ast.Stmt) (calls []locked.Call, ok bool) {
	switch crossed[0].(type) {
	case *ast.LabeledStmt:
		return nil, false
	case *ast.DeferStmt:
		if s.Deferred { // the calls would run in another order
			return nil, false
		}
	}
	if exits.HasGotoTarget(fn, crossed[0]) || s.Prepares(crossed[0]) {
		return nil, false
	}
	if locking.Takes(fn, s, crossed) {
		return locking.Relocking(fn, s, crossed)
	}
	return nil, true
}

// exitable reports whether the lock is free again after each way out of the
// statements to be crossed, by a release before it or by the one that is deferred.
func exitable(fn *mutate.Function, s *mutate.Section, crossed []ast.Stmt) bool {
	leaving := exits.Of(fn, crossed...)
	if s.DefersAtOnce() { // it moves along; after a branch the function would go on with the lock held
		return allReturn(leaving)
	}
	return becomesDeferred(fn, s, crossed) ||
		!slices.ContainsFunc(leaving, func(exit ast.Stmt) bool { return !exits.Plain(fn, exit) })
}

// becomesDeferred reports whether the section is the whole function with the
// statements to be crossed, so that a deferred release is the best.
func becomesDeferred(fn *mutate.Function, s *mutate.Section, crossed []ast.Stmt) bool {
	toEnd := s.Final != nil && s.Final == s.List[len(s.List)-1]
	return len(crossed) == s.At && toEnd && s.CanDefer() && allReturn(exits.Of(fn, crossed...))
}

// allReturn reports whether the exits leave the function.
func allReturn(exits []ast.Stmt) bool {
	return !slices.ContainsFunc(exits, func(exit ast.Stmt) bool {
		_, branch := exit.(*ast.BranchStmt)
		return branch
	})
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	if e.Count < 1 || e.Count > s.At {
		return mutate.Refuse(e, "there are not %d statements before the section", e.Count)
	}
	crossed := s.List[s.At-e.Count : s.At]
	if err := s.InOrder(s.List[s.At-e.Count : s.First]...); err != nil {
		return err
	}
	calls, ok := passable(s.Fn, s.Section, crossed)
	if !ok || len(calls) > 0 != (e.Form == formCalls) {
		return mutate.Refuse(e, "the section cannot be expanded over these statements")
	}
	if err := locked.CallUnlocked(m, e, calls); err != nil {
		return err
	}
	if err := s.Move(s.Acquire, crossed[0], false, e.Note); err != nil {
		return err
	}
	switch {
	case s.DefersAtOnce():
		return s.Move(s.Releases[0], s.Acquire, true, "")
	case becomesDeferred(s.Fn, s.Section, crossed):
		return s.DeferRelease("")
	}
	for _, exit := range exits.Of(s.Fn, crossed...) {
		if err := s.Released(exit, false, ""); err != nil {
			return err
		}
	}
	return nil
}
