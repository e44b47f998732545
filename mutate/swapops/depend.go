package swapops

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// dependent reports whether one of two statements declares or assigns a variable
// that the other uses.
func dependent(fn *mutate.Function, a, b ast.Stmt) bool {
	return assigns(fn, a, used(fn, b)) || assigns(fn, b, used(fn, a))
}

// used is the variables that a statement names.
func used(fn *mutate.Function, s ast.Stmt) map[types.Object]bool {
	found := make(map[types.Object]bool)
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := fn.File.Package.Info.ObjectOf(id).(*types.Var); ok {
				found[v] = true
			}
		}
		return true
	})
	return found
}

// assigns reports whether a statement declares or assigns, itself or in a part of
// it that runs at once, one of some variables, or a field of it.
func assigns(fn *mutate.Function, s ast.Stmt, vars map[types.Object]bool) bool {
	found := false
	note := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && vars[fn.File.Package.Info.ObjectOf(id)]
			return !found
		})
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case ast.Stmt:
			for _, e := range syntax.Assigned(n) {
				note(e)
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				note(name)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		}
		return !found
	})
	return found
}
