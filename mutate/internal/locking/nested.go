package locking

import (
	"go/ast"

	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
)

// Joins reports whether the acquisition of a section that is nested in another
// one, in the same statement list, can move to the outer acquisition. What
// stands between the two then runs under both locks. A release that is deferred
// at once moves along; one that is deferred later stays.
func Joins(fn *mutate.Function, outer, inner *mutate.Section) bool {
	if outer.Again || inner.Again || !outer.Encloses(inner) || &outer.List[0] != &inner.List[0] || outer.SameLock(inner) {
		return false
	}
	for _, between := range outer.List[outer.First:inner.At] {
		if _, deferred := between.(*ast.DeferStmt); deferred && !fn.IsLockCall(between) {
			return false
		}
		// With a deferred release the inner lock is released by any exit.
		if !inner.DefersAtOnce() && len(exits.Of(fn, between)) > 0 || inner.Prepares(between) ||
			exits.HasGotoTarget(fn, between) || effects.Of(fn, inner, between).Relocks {
			return false
		}
	}
	return effects.OpenLocks(fn, outer.List[outer.First:inner.At]...) >= 0
}
