package exits

import (
	"go/ast"

	"mendel/analysis/locks"
	"mendel/mutate"
)

// Terminates reports whether control never runs on past a statement; see
// [locks.Terminates].
func Terminates(fn *mutate.Function, stmt ast.Stmt) bool {
	switch s := stmt.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return ok && !locks.Returns(fn.File.Package.Info, call)
	case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.EmptyStmt, *ast.RangeStmt:
		return false
	}
	return locks.Terminates(fn.File.Package.Info, stmt)
}
