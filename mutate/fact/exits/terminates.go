package exits

import (
	"go/ast"

	"mendel/analysis/locks/program"
	"mendel/mutate"
)

// Terminates reports whether control never runs on past a statement; see
// [program.Terminates].
func Terminates(fn *mutate.Function, stmt ast.Stmt) bool {
	switch s := stmt.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return ok && !program.Returns(fn.File.Package.Info, call)
	case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.EmptyStmt, *ast.RangeStmt:
		return false
	}
	return program.Terminates(fn.File.Package.Info, stmt)
}
