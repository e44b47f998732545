package locking

import (
	"go/ast"
	"slices"

	"mendel/mutate"
)

// StartsAcquirer reports whether some statements call a function that starts,
// there or in a function it calls, what takes a lock with a key: a goroutine,
// or a function literal that is kept for later. Not knowing when that will be,
// nothing can be said for holding such a lock around the call, and
// [mutate.Space.Mutant] refuses it.
func StartsAcquirer(fn *mutate.Function, key string, stmts []ast.Stmt) bool {
	return slices.ContainsFunc(fn.Calls(stmts...), func(c mutate.Call) bool { return c.To.TakenLater()[key] })
}
