package locking

import (
	"go/ast"
	"go/token"
	"strings"

	"mendel/mutate"
)

// Visible reports whether a path means the same before a statement.
func Visible(fn *mutate.Function, p mutate.Path, at ast.Stmt) bool {
	scope := fn.File.Package.Types.Scope().Innermost(at.Pos())
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(p.Root.Name(), at.Pos())
	return obj == p.Root
}

// ComparesNil reports whether statements compare with nil what a path leads
// through: the lock cannot be taken before.
func ComparesNil(fn *mutate.Function, p mutate.Path, stmts []ast.Stmt) bool {
	isNil := func(e ast.Expr) bool { return fn.File.Package.Info.Types[e].IsNil() }
	through := func(e ast.Expr) bool {
		q := fn.Path(e)
		return q.Root == p.Root && (q.Rest == p.Rest || strings.HasPrefix(p.Rest, q.Rest+"."))
	}
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if ok && (b.Op == token.EQL || b.Op == token.NEQ) {
				found = found || isNil(b.Y) && through(b.X) || isNil(b.X) && through(b.Y)
			}
			return !found
		})
	}
	return found
}
