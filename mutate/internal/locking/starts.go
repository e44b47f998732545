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
	seen := make(map[*mutate.Function]bool)
	var starts func(fn *mutate.Function, stmts []ast.Stmt) bool
	starts = func(fn *mutate.Function, stmts []ast.Stmt) bool {
		return slices.ContainsFunc(fn.Calls(stmts...), func(c mutate.Call) bool {
			if seen[c.To] {
				return false
			}
			seen[c.To] = true
			return takesLater(c.To, key) || starts(c.To, c.To.Body.List)
		})
	}
	return starts(fn, stmts)
}

// takesLater reports whether a go statement or a function literal of a function
// takes a lock with a key.
func takesLater(fn *mutate.Function, key string) bool {
	found := false
	takes := func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		l, _, ok := fn.Program.LockOf(fn.File, call)
		found = ok && l.Key == key || slices.Contains(fn.Program.Acquires(fn.File, call), key)
		return !found
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			ast.Inspect(n.Call, takes)
		case *ast.FuncLit:
			ast.Inspect(n.Body, takes)
		}
		return !found
	})
	return found
}
