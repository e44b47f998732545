package mergesections

import (
	"errors"
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/sectionedit"
)

// formGap takes a release and the acquisition behind it out of a section.
const formGap = "gap"

// gapDoubt is the belief in closing a gap with statements in it: it may well be
// there for their sake. Guessed.
const gapDoubt = 0.5

// gaps lists the releases in the middle of what a lock is held for, with the
// acquisition that follows in the same list. The sections around have no end of
// their own there, as where the last release is deferred.
func gaps(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	sections := fn.Sections()
	for _, st := range fn.Statements() {
		lock, method, ok := lockCall(fn, st.Stmt)
		if !ok || method != "Unlock" && method != "RUnlock" || !held.Holds(fn, st.Stmt, lock.Key) {
			continue
		}
		if slices.ContainsFunc(sections, func(s *mutate.Section) bool { return s.Final == st.Stmt }) {
			continue // that is for pairs of sections
		}
		again, between, ok := acquiredAgain(fn, st, lock, method)
		if !ok {
			continue
		}
		e := fn.NewEdit("mergesections", st.Stmt, append([]ast.Stmt{st.Stmt, again}, between...)...)
		e.Form, e.Other, e.Count, e.Lock, e.Read = formGap, fn.ID(again), len(between), &lock, method == "RUnlock"
		e.Note = lock.Expr + " is held on: others must not come in between"
		if len(between) > 0 {
			e.Doubt(gapDoubt)
		}
		out = append(out, e)
	}
	return out
}

// acquiredAgain finds the acquisition behind a release, with nothing in between that
// could not be done under the lock.
func acquiredAgain(fn *mutate.Function, st mutate.Statement, lock analysis.Lock, release string) (again ast.Stmt, between []ast.Stmt, ok bool) {
	for i, s := range st.List[st.Index+1:] {
		next, method, isLock := lockCall(fn, s)
		if !isLock || next.Key != lock.Key {
			continue
		}
		between = st.List[st.Index+1:][:i]
		if next.Expr != lock.Expr || method+"/"+release != "Lock/Unlock" && method+"/"+release != "RLock/RUnlock" {
			return nil, nil, false
		}
		return s, between, len(between) <= sectionedit.MaxMoves && coverable(fn, lock, between)
	}
	return nil, nil, false
}

// coverable reports whether statements may be under a lock.
func coverable(fn *mutate.Function, lock analysis.Lock, between []ast.Stmt) bool {
	if len(between) == 0 {
		return true
	}
	if effects.OpenLocks(fn, between...) != 0 || len(exits.Of(fn, between...)) > 0 || fn.Reassigns(lock.Expr, between...) {
		return false
	}
	for _, s := range between {
		if exits.HasGotoTarget(fn, s) || exits.Terminates(fn, s) {
			return false
		}
	}
	return held.Conflict(fn, lock, between...) == "" && !held.Waits(fn, lock, between...)
}

// lockCall is the lock and method of a statement that only calls one.
func lockCall(fn *mutate.Function, s ast.Stmt) (lock analysis.Lock, method string, ok bool) {
	e, ok := s.(*ast.ExprStmt)
	if !ok || !fn.IsLockCall(s) {
		return lock, "", false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return lock, "", false
	}
	return fn.Program.LockCall(fn.File, call)
}

// closeGap applies an edit of gaps.
func closeGap(m *mutate.Mutation, e mutate.Edit) error {
	release, again := m.Stmt(e.File, e.Node), m.Stmt(e.File, e.Other)
	if !m.IsLockCall(release) || !m.IsLockCall(again) {
		return mutate.Refuse(e, "another edit changed the gap")
	}
	return errors.Join(m.Remove(e.File, release), m.Remove(e.File, again))
}
