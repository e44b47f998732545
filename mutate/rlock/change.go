package rlock

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// mayChange reports whether a statement may change something other than the
// function's own variables: it assigns to a field, an element or what a pointer
// leads to, changes a map or slice in place, or calls a method.
func mayChange(fn *mutate.Function, stmt ast.Stmt) bool {
	return syntax.Any(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Stmt:
			return slices.ContainsFunc(syntax.Assigned(n), func(e ast.Expr) bool { return !local(fn, e) })
		case *ast.CallExpr:
			return callChanges(fn, n)
		}
		return false
	})
}

// local reports whether an assigned expression is a variable of a function, or _.
func local(fn *mutate.Function, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := fn.File.Package.Info.ObjectOf(id).(*types.Var)
	return id.Name == "_" || ok && v.Parent() != v.Pkg().Scope()
}

// callChanges reports whether a call may change what it is given: it is one of a
// builtin that does, or of a method other than package sync's.
func callChanges(fn *mutate.Function, call *ast.CallExpr) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		b, ok := fn.File.Package.Info.Uses[f].(*types.Builtin)
		return ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy" || b.Name() == "append")
	case *ast.SelectorExpr:
		sel := fn.File.Package.Info.Selections[f]
		return sel != nil && (sel.Obj().Pkg() == nil || sel.Obj().Pkg().Path() != "sync")
	}
	return true
}
