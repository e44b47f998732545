package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Terminates reports whether control never runs on past a statement. Beside
// what the language calls a terminating statement, that is one which branches
// away and a call that does not return, such as os.Exit or t.Fatal.
func (fn *Function) Terminates(stmt ast.Stmt) bool {
	switch s := stmt.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		return fn.noReturn(s.X)
	case *ast.LabeledStmt:
		return fn.Terminates(s.Stmt) && !endedByBreak(s.Stmt, s.Label.Name)
	case *ast.BlockStmt:
		return fn.listTerminates(s.List)
	case *ast.IfStmt:
		return s.Else != nil && fn.Terminates(s.Body) && fn.Terminates(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !endedByBreak(s, "")
	case *ast.SwitchStmt:
		return fn.clausesTerminate(s, s.Body.List, false)
	case *ast.TypeSwitchStmt:
		return fn.clausesTerminate(s, s.Body.List, false)
	case *ast.SelectStmt:
		return fn.clausesTerminate(s, s.Body.List, true)
	}
	return false
}

func (fn *Function) listTerminates(list []ast.Stmt) bool {
	return len(list) > 0 && fn.Terminates(list[len(list)-1])
}

func (fn *Function) clausesTerminate(s ast.Stmt, clauses []ast.Stmt, exhaustive bool) bool {
	if endedByBreak(s, "") {
		return false
	}
	for _, c := range clauses {
		var body []ast.Stmt
		switch c := c.(type) {
		case *ast.CaseClause:
			exhaustive = exhaustive || c.List == nil
			body = c.Body
		case *ast.CommClause:
			body = c.Body
		}
		if !fn.listTerminates(body) && !(len(body) > 0 && isFallthrough(body[len(body)-1])) {
			return false
		}
	}
	return exhaustive
}

// endedByBreak reports whether a break inside a statement ends it; label is its label, if it has one.
func endedByBreak(stmt ast.Stmt, label string) bool {
	found := false
	inspect(stmt, func(n ast.Node, path []ast.Node) {
		b, ok := n.(*ast.BranchStmt)
		if !ok || b.Tok != token.BREAK {
			return
		}
		if b.Label != nil {
			found = found || b.Label.Name == label
			return
		}
		for _, around := range path[1:] {
			switch around.(type) {
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				return
			}
		}
		found = true
	})
	return found
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// noReturn reports whether a call ends the goroutine or the process: panic,
// os.Exit, log.Fatal, runtime.Goexit, and FailNow, Fatal and Skip of a test.
func (fn *Function) noReturn(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, builtin := fn.File.Package.Info.Uses[f].(*types.Builtin)
		return builtin && f.Name == "panic"
	case *ast.SelectorExpr:
		callee, ok := fn.File.Package.Info.Uses[f.Sel].(*types.Func)
		return ok && callee.Pkg() != nil && endsGoroutine[callee.Pkg().Path()+"."+callee.Name()]
	}
	return false
}

// endsGoroutine are the functions and methods of the standard library that do not return.
var endsGoroutine = map[string]bool{
	"os.Exit": true, "runtime.Goexit": true, "syscall.Exit": true,
	"log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true,
	"log.Panic": true, "log.Panicf": true, "log.Panicln": true,
	"testing.Fatal": true, "testing.Fatalf": true, "testing.FailNow": true,
	"testing.Skip": true, "testing.Skipf": true, "testing.SkipNow": true,
}
