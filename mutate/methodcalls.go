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
	return func(yield func(*ast.CallExpr, *ast.SelectorExpr) bool) {
		more := true
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if sel := fn.MethodCall(n, typ); sel != nil {
					more = more && yield(n, sel)
				}
			}
			return more
		})
	}
}

// MethodCall returns what a call of a method of a type selects, nil if it is none.
func (fn *Function) MethodCall(call *ast.CallExpr, typ string) *ast.SelectorExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fn.File.Package.Info.Types[sel.X].IsType() { // (*sync.Cond).Signal(c)
		return nil
	}
	f, ok := fn.File.Package.Info.Uses[sel.Sel].(*types.Func)
	if !ok || !strings.HasPrefix(f.FullName(), "("+typ+").") {
		return nil
	}
	return sel
}
