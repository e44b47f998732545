package locking

import (
	"go/ast"
	"go/token"
)

// terminates tells whether nothing is reached behind a statement. It follows
// the language's definition of a terminating statement.
func terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO || s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return listTerminates(s.List)
	case *ast.IfStmt:
		return s.Else != nil && listTerminates(s.Body.List) && terminates(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !breaksOut(s.Body)
	case *ast.LabeledStmt:
		return true // a break may name it; be careful
	case *ast.SwitchStmt:
		return clausesTerminate(s.Body)
	case *ast.TypeSwitchStmt:
		return clausesTerminate(s.Body)
	case *ast.SelectStmt:
		return selectTerminates(s.Body)
	}
	return false
}

func listTerminates(list []ast.Stmt) bool {
	return len(list) > 0 && terminates(list[len(list)-1])
}

func clausesTerminate(body *ast.BlockStmt) bool {
	hasDefault := false
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		hasDefault = hasDefault || c.List == nil
		if len(c.Body) > 0 && isFallthrough(c.Body[len(c.Body)-1]) {
			continue
		}
		if !listTerminates(c.Body) {
			return false
		}
	}
	return hasDefault && !breaksOut(body)
}

func selectTerminates(body *ast.BlockStmt) bool {
	for _, c := range body.List {
		if !listTerminates(c.(*ast.CommClause).Body) {
			return false
		}
	}
	return !breaksOut(body)
}

// breaksOut tells whether a break without a label leaves the statement whose
// body this is.
func breaksOut(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK
		}
		return !found
	})
	return found
}

func isReturn(s ast.Stmt) bool {
	_, ok := s.(*ast.ReturnStmt)
	return ok
}

func isBranch(s ast.Stmt) bool {
	_, ok := s.(*ast.BranchStmt)
	return ok
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}
