// Package syntax answers questions about single syntax nodes, for package mutate
// and the packages below it that take no [mutate.Function].
//
//	wg.Go(work)   →   Callee: (*sync.WaitGroup).Go; StartsArgument: true
package syntax

import (
	"go/ast"
	"go/types"
)

// Callee is the function or method that an expression names, its generic
// origin where it has one; nil for anything else.
func Callee(info *types.Info, fun ast.Expr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		return Callee(info, f.X)
	case *ast.IndexListExpr:
		return Callee(info, f.X)
	default:
		return nil
	}
	f, ok := info.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	return f.Origin()
}

// Builtin is the name of the predeclared function that a call calls; "" for any other.
func Builtin(info *types.Info, call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// StartsArgument reports whether a call runs the function passed to it
// elsewhere: Go of a wait group, or AfterFunc.
func StartsArgument(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "Go" || sel.Sel.Name == "AfterFunc")
}

// Walk visits a tree in source order with the nodes around each, outer ones
// first. Function literals are included.
func Walk(n ast.Node, visit func(n ast.Node, path []ast.Node)) {
	var path []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		visit(n, path)
		path = append(path, n)
		return true
	})
}
