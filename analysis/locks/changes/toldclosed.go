package changes

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
)

// What is written before a channel of the value is closed needs no lock where it is read behind a receive
// from the channel:
//
//	l.value, l.err = load(key)      <-l.done
//	close(l.done)                   return l.value, l.err

// toldClosed reports whether a use of a field is on one of these sides.
func toldClosed(m *locks.View, u access.Use) bool {
	v := u.Base.Root
	if v == nil || u.Base.Text != "" || u.In.Decl == nil {
		return false
	}
	return closesAfter(m, u, v) || !u.Write && heardBefore(u, v)
}

// channelOf reports whether an expression selects a channel of a variable.
func channelOf(info *types.Info, e ast.Expr, v types.Object) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	t := info.TypeOf(sel)
	return ok && info.ObjectOf(id) == v && t != nil && waits.IsChan(t)
}

// heardBefore reports whether a statement in front of a use, on all ways to it, receives from a channel of
// the variable that its field is selected from.
func heardBefore(u access.Use, v types.Object) bool {
	heard := false
	hears := func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		receive, ok := e.X.(*ast.UnaryExpr)
		return ok && receive.Op == token.ARROW && channelOf(u.In.Info(), receive.X, v)
	}
	ast.Inspect(u.In.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > u.At.Pos() || u.At.End() > n.End() {
			return false
		}
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
			heard = heard || n.Comm != nil && hears(n.Comm)
		}
		for _, s := range list {
			heard = heard || s.End() <= u.At.Pos() && hears(s)
		}
		return true
	})
	return heard
}

// closesAfter reports whether the declared function around a use closes a channel of the variable behind it, or
// when it returns, itself or by a function that it gives the variable.
func closesAfter(m *locks.View, u access.Use, v types.Object) bool {
	info, found := u.In.Info(), false
	syntax.Walk(u.In.Decl.Body, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return
		}
		later := call.Pos() > u.At.Pos() && u.In.Decl.LeadsTo(u.At, call.Pos())
		for _, at := range path {
			_, deferred := at.(*ast.DeferStmt)
			later = later || deferred && at.Pos() < u.At.Pos()
		}
		if !later {
			return
		}
		if syntax.Builtin(info, call) == "close" {
			found = channelOf(info, call.Args[0], v)
			return
		}
		f := syntax.Callee(info, call.Fun)
		if f == nil || syntax.InterfaceMethod(f) {
			return
		}
		to := m.Declared(f.Origin())
		if to == nil {
			return
		}
		for _, a := range m.Given(u.In, call, to) {
			found = found || a.Path.Root == v && a.Path.Text == "" && closesOf(to, a.Obj)
		}
	})
	return found
}

// closesOf reports whether a function's text closes a channel of one of its parameters.
func closesOf(fn *program.Func, param types.Object) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(fn.Info(), call) == "close" && channelOf(fn.Info(), call.Args[0], param)
	})
}
