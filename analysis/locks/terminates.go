package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// Returns reports whether a call returns, as far as is known: panic, os.Exit,
// log.Fatal, runtime.Goexit, and FailNow, Fatal and Skip of a test do not.
func Returns(info *types.Info, call *ast.CallExpr) bool { return endOf(info, call) == goesOn }

// EndsProcess reports whether nothing runs any more after a call: no deferred
// function, no other goroutine.
func EndsProcess(info *types.Info, call *ast.CallExpr) bool {
	return endOf(info, call) == endsProcess
}

// Terminates reports whether control never runs on past a statement. Beside
// what the language calls a terminating statement, that is one which branches
// away and a call that does not return.
func Terminates(info *types.Info, stmt ast.Stmt) bool {
	if b, ok := stmt.(*ast.BranchStmt); ok {
		return b.Tok != token.FALLTHROUGH
	}
	behind := &ast.EmptyStmt{Semicolon: stmt.End(), Implicit: true}
	g := cfg.New(&ast.BlockStmt{List: []ast.Stmt{stmt, behind}}, func(call *ast.CallExpr) bool { return Returns(info, call) })
	return !slices.ContainsFunc(g.Blocks, func(b *cfg.Block) bool { return b.Live && slices.Contains(b.Nodes, ast.Node(behind)) })
}
