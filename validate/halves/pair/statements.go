package pair

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
)

// LockMethod is the method of a mutex that is called; "": none.
func LockMethod(info *types.Info, e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	f := syntax.Callee(info, call.Fun)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return ""
	}
	return f.Name()
}

// LockCalls counts the calls of a function that take a lock.
func LockCalls(fn *Function) (n int) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		if call, ok := x.(*ast.CallExpr); ok {
			if method := LockMethod(fn.Info(), call); method == "Lock" || method == "RLock" {
				n++
			}
		}
		return true
	})
	return n
}

// HasReturn says whether a block returns from its function.
func HasReturn(b *ast.BlockStmt) bool {
	return syntax.Any(b, func(n ast.Node) bool { _, ok := n.(*ast.ReturnStmt); return ok })
}

// Lists are the lists of statements directly in a statement.
func Lists(s ast.Stmt) (lists [][]ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return [][]ast.Stmt{s.List}
	case *ast.LabeledStmt:
		return Lists(s.Stmt)
	case *ast.IfStmt:
		lists = append(lists, s.Body.List)
		if s.Else != nil {
			lists = append(lists, Lists(s.Else)...)
		}
	case *ast.ForStmt:
		return Lists(s.Body)
	case *ast.RangeStmt:
		return Lists(s.Body)
	case *ast.SwitchStmt:
		return listsOfCases(s.Body)
	case *ast.TypeSwitchStmt:
		return listsOfCases(s.Body)
	case *ast.SelectStmt:
		return listsOfCases(s.Body)
	}
	return lists
}

func listsOfCases(body *ast.BlockStmt) (lists [][]ast.Stmt) {
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.CaseClause:
			lists = append(lists, s.Body)
		case *ast.CommClause:
			lists = append(lists, s.Body)
		}
	}
	return lists
}

// IsChannel reports whether a type is one of channels.
func IsChannel(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// IsComm reports whether a node is a case of a select.
func IsComm(n ast.Node) bool {
	_, ok := n.(*ast.CommClause)
	return ok
}

// Receives reports whether a node receives from a channel.
func Receives(n ast.Node) bool {
	u, ok := n.(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW
}
