package operations

import (
	"go/ast"
	"go/token"
	"go/types"
)

// node visits what is no expression.
func (w *Walker) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.IncDecStmt:
		w.update(n, n.X, nil)
	case *ast.SendStmt:
		w.Visit(Operation{Kind: Send, Node: n, On: n.Chan, By: n.Value})
		w.list(n.Chan, n.Value)
	case *ast.SelectStmt:
		w.selects(n)
	case *ast.RangeStmt:
		w.ranges(n)
	case *ast.GoStmt:
		w.Visit(Operation{Kind: Go, Node: n, On: n.Call.Fun, Call: n.Call})
		w.forms[n.Call] = Started
		w.expr(n.Call)
	case *ast.DeferStmt:
		w.forms[n.Call] = Deferred
		w.expr(n.Call)
	case *ast.ValueSpec:
		w.values(len(n.Names), n.Values)
	case *ast.FuncDecl:
		if n.Body != nil {
			w.node(n.Body)
		}
	case *ast.LabeledStmt:
		w.node(n.Stmt)
	case *ast.TypeSpec, *ast.ImportSpec, *ast.BranchStmt, *ast.Comment, *ast.CommentGroup:
	default:
		w.children(n)
	}
}

// values visits what is assigned to so many variables.
func (w *Walker) values(n int, list []ast.Expr) {
	if n == 2 && len(list) == 1 {
		if u, ok := ast.Unparen(list[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			w.receive(u, true)
			return
		}
	}
	w.list(list...)
}

// assign visits an assignment or a short declaration.
func (w *Walker) assign(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE:
		w.values(len(s.Lhs), s.Rhs)
	case s.Tok != token.ASSIGN:
		w.update(s, s.Lhs[0], s.Rhs[0])
	case len(s.Lhs) == len(s.Rhs):
		for i, l := range s.Lhs {
			w.target(l)
			w.write(l, s.Rhs[i])
			w.expr(s.Rhs[i])
		}
	default:
		for _, l := range s.Lhs {
			w.write(l, nil)
			w.target(l)
		}
		w.values(len(s.Lhs), s.Rhs)
	}
}

// write visits an assignment to a place: of a value, or of one of several results.
func (w *Walker) write(l, v ast.Expr) {
	if m := w.mapOf(l); m != nil {
		w.Visit(Operation{Kind: MapWrite, Node: l, On: m.X, Var: w.variable(m.X), By: v})
	} else if w.isPlace(l) {
		w.Visit(Operation{Kind: Write, Node: l, On: l, Var: w.variable(l), By: v})
	}
}

// update visits l op= v, or l++ with a nil v.
func (w *Walker) update(s ast.Stmt, l, v ast.Expr) {
	if m := w.mapOf(l); m != nil {
		w.Visit(Operation{Kind: MapUpdate, Node: s, On: m.X, Var: w.variable(m.X), By: v})
	} else if w.isPlace(l) {
		w.Visit(Operation{Kind: Update, Node: s, On: l, Var: w.variable(l), By: v})
	}
	w.target(l)
	w.list(v)
}

// target visits the parts of what is assigned to.
func (w *Walker) target(l ast.Expr) {
	if m := w.mapOf(l); m != nil {
		w.list(m.X, m.Index)
		return
	}
	w.operand(l)
}

// selects visits a select statement, and what is in its cases.
func (w *Walker) selects(s *ast.SelectStmt) {
	w.Visit(Operation{Kind: Select, Node: s})
	for _, clause := range s.Body.List {
		c := clause.(*ast.CommClause)
		switch comm := c.Comm.(type) {
		case *ast.SendStmt:
			w.list(comm.Chan, comm.Value)
		case *ast.ExprStmt, *ast.AssignStmt:
			w.expr(Received(comm).X)
			w.targets(comm)
		}
		for _, b := range c.Body {
			w.node(b)
		}
	}
}

// targets visits what a case assigns to.
func (w *Walker) targets(comm ast.Stmt) {
	if a, ok := comm.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
		for _, l := range a.Lhs {
			w.write(l, nil)
			w.target(l)
		}
	}
}

// Received is the receive of a case of a select; nil if it has none.
func Received(comm ast.Stmt) *ast.UnaryExpr {
	var e ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	default:
		return nil
	}
	u, _ := ast.Unparen(e).(*ast.UnaryExpr)
	return u
}

// ranges visits a range loop.
func (w *Walker) ranges(s *ast.RangeStmt) {
	t := typeOf(w.Info, s.X)
	_, isMap := t.Underlying().(*types.Map)
	switch {
	case IsChannel(t):
		w.Visit(Operation{Kind: Range, Node: s, On: s.X})
		w.expr(s.X)
		w.node(s.Body)
		return
	case isMap:
		w.element(s.X, MapRead)
	default:
		w.expr(s.X)
	}
	if s.Tok == token.ASSIGN {
		for _, l := range []ast.Expr{s.Key, s.Value} {
			if l != nil {
				w.write(l, nil)
				w.target(l)
			}
		}
	}
	w.node(s.Body)
}
