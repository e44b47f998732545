package locking

import (
	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// Fits reports whether an edit of [Around] or [Whole] gives a mutant by itself, in which
// no goroutine waits for itself. It makes none for that.
func Fits(fn *mutate.Function, e mutate.Edit) bool {
	if fn.File.Test { // tests have rules of their own
		return fn.Applies(e)
	}
	covered := fn.Body.List
	if e.Count > 0 {
		s, ok := Find(fn, e)
		if !ok {
			return false
		}
		covered = s.Stmts
	}
	return len(covered) > 0 && held.Conflict(fn, *e.Lock, covered...) == "" && fn.Declares(e)
}
