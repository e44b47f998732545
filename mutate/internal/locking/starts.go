package locking

import (
	"go/ast"
	"slices"

	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// StartsAcquirer reports whether some statements call a function that starts,
// there or in a function it calls, what takes a lock with a key: a goroutine,
// or a function literal that is kept for later. Not knowing when that will be,
// nothing can be said for holding such a lock around the call, and
// [mutate.Space.Mutant] refuses it.
func StartsAcquirer(fn *mutate.Function, key string, stmts []ast.Stmt) bool {
	return slices.ContainsFunc(fn.Calls(stmts...), func(c mutate.Call) bool { return takenInLater(c.To)[key] })
}

// TakenBeside reports whether a lock with a key is taken or released in some statements
// other than by the calls that are known. Only what a go statement runs may.
func TakenBeside(fn *mutate.Function, key string, stmts []ast.Stmt, known func(*ast.CallExpr) bool) bool {
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			if _, started := n.(*ast.GoStmt); started {
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok && !known(call) {
				l, _, isLock := fn.Program.LockCall(fn.File, call)
				found = found || isLock && l.Key == key || held.Acquires(fn, call, key)
			}
			return !found
		})
	}
	return found
}
