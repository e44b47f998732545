package mutate

import (
	"go/ast"
	"go/types"
	"iter"
	"strings"
)

// MethodCalls yields the calls of methods of a type, "*sync.Cond" for example,
// that a function itself makes or defers, in source order. Method values and
// method expressions are left out.
func (fn *Function) MethodCalls(typ string) iter.Seq2[*ast.CallExpr, *ast.SelectorExpr] {
	type callsOf struct {
		fn  *Function
		typ string
	}
	calls := Once(fn, callsOf{fn, typ}, func() []*ast.CallExpr { return fn.findMethodCalls(typ) })
	return func(yield func(*ast.CallExpr, *ast.SelectorExpr) bool) {
		for _, call := range calls {
			if !yield(call, ast.Unparen(call.Fun).(*ast.SelectorExpr)) {
				return
			}
		}
	}
}

func (fn *Function) findMethodCalls(typ string) (calls []*ast.CallExpr) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if fn.MethodCall(n, typ) != nil {
				calls = append(calls, n)
			}
		}
		return true
	})
	return calls
}

// MethodCall returns what a call of a method of a type selects, nil if it is none.
func (fn *Function) MethodCall(call *ast.CallExpr, typ string) *ast.SelectorExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fn.File.Package.Info.Types[sel.X].IsType() { // (*sync.Cond).Signal(c)
		return nil
	}
	f, ok := fn.File.Package.Info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || !strings.HasPrefix(strings.TrimPrefix(typ, "*"), f.Pkg().Path()+".") || !strings.HasPrefix(f.FullName(), "("+typ+").") {
		return nil
	}
	return sel
}
