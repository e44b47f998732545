package methodcalls

import (
	"go/ast"
	"iter"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// Of yields the calls of methods of a type, "*sync.Cond" for example,
// that a function itself makes or defers, in source order. Method values and
// method expressions are left out.
func Of(fn *mutate.Function, typ string) iter.Seq2[*ast.CallExpr, *ast.SelectorExpr] {
	type callsOf struct {
		fn  *mutate.Function
		typ string
	}
	calls := mutate.Once(fn, callsOf{fn, typ}, func() []*ast.CallExpr { return find(fn, typ) })
	return func(yield func(*ast.CallExpr, *ast.SelectorExpr) bool) {
		for _, call := range calls {
			if !yield(call, ast.Unparen(call.Fun).(*ast.SelectorExpr)) {
				return
			}
		}
	}
}

func find(fn *mutate.Function, typ string) (calls []*ast.CallExpr) {
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && syntax.MethodOf(fn.File.Package.Info, call, typ) != nil {
			calls = append(calls, call)
		}
	})
	return calls
}
