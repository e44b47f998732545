package locking

import (
	"go/ast"

	"mendel/mutate"
)

// takenInLater are the keys of the locks that the function, or one that it calls by
// name, directly or not, has taken in go statements and in function literals,
// which may be kept for later. The map must not be changed.
func takenInLater(fn *mutate.Function) map[string]bool { return taken.Of(fn) }

var taken = mutate.NewFact(func(fn *mutate.Function) map[string]bool {
	keys := make(map[string]bool)
	seen := map[*mutate.Function]bool{fn: true}
	for work := []*mutate.Function{fn}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for key := range takenLaterHere.Of(at) {
			keys[key] = true
		}
		for _, c := range at.Calls(at.Body.List...) {
			if !seen[c.To] {
				seen[c.To] = true
				work = append(work, c.To)
			}
		}
	}
	return keys
})

// takenLaterHere is TakenLater of the function's own text.
var takenLaterHere = mutate.NewFact(func(fn *mutate.Function) map[string]bool {
	keys := make(map[string]bool)
	takes := func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if l, _, ok := fn.Program.LockCall(fn.File, call); ok {
			keys[l.Key] = true
			return true
		}
		for _, key := range fn.Program.Acquires(fn.File, call) {
			keys[key] = true
		}
		return true
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			ast.Inspect(n.Call, takes)
			return false
		case *ast.FuncLit:
			ast.Inspect(n.Body, takes)
			return false
		}
		return true
	})
	return keys
})
