package mutate

import (
	"go/ast"
	"slices"

	"mendel/mutate/internal/critical"
	"mendel/mutate/internal/lockcall"
)

// A Section is a critical section of one function in the original; see package critical.
type Section = critical.Section[*Function]

// Sections recognises the function's critical sections, outer before inner.
func (fn *Function) Sections() []*Section { return slices.Clone(sections.Of(fn)) }

var sections = NewFact(func(fn *Function) []*Section {
	return critical.Sections(fn, critical.Text{Program: fn.Program, File: fn.File, Body: fn.Body})
})

// IsLockCall reports whether a statement is only a call of a lock's method, at once or deferred.
func (fn *Function) IsLockCall(s ast.Stmt) bool {
	if d, ok := s.(*ast.DeferStmt); ok {
		_, ok := lockcall.OfExpr(fn.Program, fn.File, d.Call)
		return ok
	}
	_, ok := lockcall.Of(fn.Program, fn.File, s)
	return ok
}
