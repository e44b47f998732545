package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// An Ending is what becomes of a goroutine that makes a call.
type Ending int

const (
	GoesOn      Ending = iota
	Ends               // it panics or ends: deferred calls run
	endsProcess        // nothing runs any more
)

// EndOf says whether a call returns.
func EndOf(info *types.Info, call *ast.CallExpr) Ending {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if _, builtin := info.Uses[f].(*types.Builtin); builtin && f.Name == "panic" {
			return Ends
		}
	case *ast.SelectorExpr:
		if callee, ok := info.Uses[f.Sel].(*types.Func); ok && callee.Pkg() != nil {
			return endings[callee.Pkg().Path()+"."+callee.Name()]
		}
	}
	return GoesOn
}

// endings are the functions and methods of the standard library that do not return.
var endings = map[string]Ending{
	"os.Exit": endsProcess, "syscall.Exit": endsProcess,
	"log.Fatal": endsProcess, "log.Fatalf": endsProcess, "log.Fatalln": endsProcess,
	"runtime.Goexit": Ends, "log.Panic": Ends, "log.Panicf": Ends, "log.Panicln": Ends,
	"testing.Fatal": Ends, "testing.Fatalf": Ends, "testing.FailNow": Ends,
	"testing.Skip": Ends, "testing.Skipf": Ends, "testing.SkipNow": Ends,
}

// Returns reports whether a call returns, as far as is known: panic, os.Exit,
// log.Fatal, runtime.Goexit, and FailNow, Fatal and Skip of a test do not.
func Returns(info *types.Info, call *ast.CallExpr) bool { return EndOf(info, call) == GoesOn }

// EndsProcess reports whether nothing runs any more after a call: no deferred
// function, no other goroutine.
func EndsProcess(info *types.Info, call *ast.CallExpr) bool {
	return EndOf(info, call) == endsProcess
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

// LeavesAtEnd reports whether a list of statements ends by leaving.
func LeavesAtEnd(info *types.Info, list []ast.Stmt) bool {
	return len(list) > 0 && Terminates(info, list[len(list)-1])
}

// LeadsTo reports whether the function may come from a node to a later place: the node is in no list of
// statements that ends by leaving before that.
func (fn *Func) LeadsTo(from ast.Node, to token.Pos) bool {
	goes := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > from.Pos() || from.End() > n.End() {
			return false
		}
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			if !ofClauses(n) {
				list = n.List
			}
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		goes = goes && (n.End() > to || !LeavesAtEnd(fn.Info(), list))
		return true
	})
	return goes
}

// ofClauses reports whether a block is that of a switch or a select.
func ofClauses(b *ast.BlockStmt) bool {
	return slices.ContainsFunc(b.List, func(s ast.Stmt) bool {
		switch s.(type) {
		case *ast.CaseClause, *ast.CommClause:
			return true
		}
		return false
	})
}
