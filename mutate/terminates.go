package mutate

import (
	"go/ast"
	"go/token"

	"mendel/analysis/locks/program"
)

// Terminates reports whether control never runs on past a statement; see
// [program.Terminates].
func (fn *Function) Terminates(stmt ast.Stmt) bool {
	switch s := stmt.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		return fn.noReturn(s.X)
	case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.EmptyStmt, *ast.RangeStmt:
		return false
	}
	return program.Terminates(fn.File.Package.Info, stmt)
}

// noReturn reports whether an expression is a call that ends the goroutine or the process.
func (fn *Function) noReturn(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && !program.Returns(fn.File.Package.Info, call)
}

// endsProcess reports whether an expression is a call that ends the process.
func (fn *Function) endsProcess(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && program.EndsProcess(fn.File.Package.Info, call)
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}
