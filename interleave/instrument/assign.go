package instrument

import (
	"go/ast"
	"go/token"
	"strings"
)

// assign rewrites an assignment or a short declaration.
func (r *rewriter) assign(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE:
		r.values(s)
	case s.Tok != token.ASSIGN:
		r.compound(s.Lhs[0], s.TokPos, strings.TrimSuffix(s.Tok.String(), "="), s.Rhs[0])
	case len(s.Lhs) == len(s.Rhs):
		for i, l := range s.Lhs {
			r.store(l, s.Rhs[i])
		}
	default:
		for _, l := range s.Lhs {
			r.target(l)
		}
		r.values(s)
	}
}

// values rewrites the right side of an assignment that writes nothing shared, or
// several results of one expression.
func (r *rewriter) values(s *ast.AssignStmt) {
	if u, ok := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW && len(s.Lhs) == 2 && len(s.Rhs) == 1 {
		r.receive(u, "From2")
		return
	}
	if len(s.Rhs) == 1 && len(s.Lhs) == 2 {
		if i := r.mapOf(s.Rhs[0]); i != nil {
			r.operand(i) // v, ok := m[k] keeps its form
			return
		}
	}
	all(r, s.Rhs)
}

// store rewrites l = v.
func (r *rewriter) store(l, v ast.Expr) {
	r.operandOf(l)
	place := r.place(l)
	if place == "" {
		r.walk(v)
		return
	}
	r.Around(v.Pos(), v.End(), place+".V(", ")")
	r.walk(v)
}

// operandOf rewrites the parts of what is assigned to.
func (r *rewriter) operandOf(l ast.Expr) {
	if i := r.mapOf(l); i != nil {
		r.walk(i.X)
		r.walk(i.Index)
		return
	}
	r.operand(l)
}

// place is the hook that begins an assignment to l; "" if it needs none or cannot
// have one.
func (r *rewriter) place(l ast.Expr) string {
	if i := r.mapOf(l); i != nil {
		if !r.isShared(i.X) || !pure(i.X) {
			return ""
		}
		return r.call("MapAt", r.site(l, "write", i.X)) + r.Line(i.X) + ")"
	}
	if !r.isShared(l) || !r.isLocation(l) || !pure(l) || r.Line(l) == "" {
		return ""
	}
	return r.call("At", r.site(l, "write", l)) + "&" + r.Line(l) + ")"
}

// target rewrites one of several variables that are assigned the results of a call.
func (r *rewriter) target(l ast.Expr) {
	if i := r.mapOf(l); i != nil {
		r.around(i.X, "MapW", "write")
		r.walk(i.Index)
		return
	}
	if !r.isShared(l) || !r.isLocation(l) {
		r.operand(l)
		return
	}
	r.Around(l.Pos(), l.End(), "*"+r.call("W", r.site(l, "write", l))+"&", ")")
	r.operand(l)
}

// compound rewrites l op= v, or l++ with a nil v.
func (r *rewriter) compound(l ast.Expr, at token.Pos, op string, v ast.Expr) {
	read := r.value(l)
	place := ""
	if read != "" {
		place = r.place(l)
	}
	r.operandOf(l)
	if place == "" {
		if v != nil {
			r.walk(v)
		}
		return
	}
	if v == nil {
		r.Put(at, at+2, "= "+place+".V("+read+" "+op+" 1)")
		return
	}
	r.Put(at, at+token.Pos(len(op)+1), "= "+place+".V("+read+" "+op+" (")
	r.walk(v)
	r.Close(at, v.End(), "))")
}

// value is the hooked read of l; "" if it needs no hook or cannot have one.
func (r *rewriter) value(l ast.Expr) string {
	if !r.isShared(l) || !pure(l) || r.Line(l) == "" {
		return ""
	}
	if i := r.mapOf(l); i != nil {
		return r.call("MapR", r.site(l, "read", i.X)) + r.Line(i.X) + ")[" + r.Line(i.Index) + "]"
	}
	if !r.isLocation(l) {
		return ""
	}
	return "(*" + r.call("R", r.site(l, "read", l)) + "&" + r.Line(l) + "))"
}

// pure reports whether an expression may be evaluated twice.
func pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return pure(e.X)
	case *ast.StarExpr:
		return pure(e.X)
	case *ast.ParenExpr:
		return pure(e.X)
	case *ast.IndexExpr:
		return pure(e.X) && pure(e.Index)
	case *ast.BinaryExpr:
		return pure(e.X) && pure(e.Y)
	}
	return false
}
