package gocall

import (
	"go/ast"
	"go/types"

	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/capture"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/waitgroups"
)

// detachable is the call that a statement is, if it may as well run in a goroutine:
// nothing behind it uses a result, or what a literal among its arguments assigns to.
func detachable(fn *mutate.Function, at mutate.Statement) (call *ast.CallExpr, ok bool) {
	e, ok := at.Stmt.(*ast.ExprStmt)
	if !ok || exits.Terminates(fn, e) || fn.IsLockCall(e) {
		return nil, false
	}
	call, ok = ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	if tv := fn.File.Package.Info.Types[call.Fun]; tv.IsBuiltin() || tv.IsType() {
		return nil, false
	}
	shared := !capture.PerIteration(fn) && fn.Loops(e) // turns of a loop share its variables
	ast.Inspect(call, func(n ast.Node) bool {
		lit, literal := n.(*ast.FuncLit)
		ok = ok && (!literal || !shared && keeps(fn, lit))
		return ok && !literal
	})
	return call, ok
}

// keeps reports whether the local variables that a literal captures keep the values
// they were declared with.
func keeps(fn *mutate.Function, lit *ast.FuncLit) bool {
	info, decl, kept := fn.File.Package.Info, syncops.Decl(fn), true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, name := n.(*ast.Ident)
		if !name || !kept {
			return kept
		}
		v, ok := info.Uses[id].(*types.Var)
		if ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && (v.Pos() < lit.Pos() || v.Pos() >= lit.End()) {
			kept = !waitgroups.Assigns(fn, decl, v)
		}
		return kept
	})
	return kept
}
