package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The language leaves open when a variable is read that stands beside a call or a
// receive in one expression or list. The compiler (gc) reads it after all of them. So
// does the rewritten program tell it:
//
//	n + <-c         n + sched.After(sched.Recv(c), &n)
//	f(n, g())       f(n, sched.After(g(), &n))

// list rewrites expressions that are evaluated together.
func (r *rewriter) list(exprs []ast.Expr) []string {
	texts := make([]string, len(exprs))
	last := len(exprs) - 1
	for last > 0 && (r.pure(exprs[last]) || r.isTuple(exprs[last])) {
		last--
	}
	var late []string
	for i, e := range exprs {
		if i < last {
			if loads, ok := r.lateLoads(e, nil); ok && len(loads) > 0 {
				texts[i] = r.raw(e)
				late = append(late, loads...)
				continue
			}
		}
		texts[i] = r.value(e)
	}
	if len(late) == 0 {
		return texts
	}
	if name := r.untyped(exprs[last]); name != "" {
		texts[last] = name + "(" + texts[last] + ")"
	}
	for _, p := range late {
		texts[last] = r.call("After", texts[last], p)
	}
	return texts
}

func (r *rewriter) isTuple(e ast.Expr) bool {
	t, ok := r.typeOf(e).(*types.Tuple)
	return ok && t.Len() != 1
}

// lateLoads are pointers to the variables that an expression reads and that are to be
// told, added to a list; false if it does more than read variables and compute.
func (r *rewriter) lateLoads(e ast.Expr, loads []string) ([]string, bool) {
	if tv := r.info.Types[e]; tv.Value != nil || tv.IsNil() {
		return loads, true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.lateLoads(e.X, loads)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.XOR, token.NOT:
			return r.lateLoads(e.X, loads)
		}
		return nil, false
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR, token.QUO, token.REM, token.SHL, token.SHR: // the second operand may not be read, or panic
			return nil, false
		}
		loads, ok := r.lateLoads(e.X, loads)
		if !ok {
			return nil, false
		}
		return r.lateLoads(e.Y, loads)
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
		switch {
		case !r.isVariable(e) || !r.pure(e) || r.location(e) != r.raw(e) || strings.Contains(r.raw(e), "\n"):
			return nil, false // more than the variable is read
		case r.touches(e):
			loads = append(loads, r.pointerTo(e))
		}
		return loads, true
	}
	return nil, false
}

// isVariable reports whether an expression is a variable: it has an address.
func (r *rewriter) isVariable(e ast.Expr) bool {
	tv := r.info.Types[e]
	if id, ok := e.(*ast.Ident); ok {
		v, ok := r.info.Uses[id].(*types.Var)
		return ok && !v.IsField()
	}
	return tv.Addressable()
}

// listParts are the expressions of a list that are evaluated together, rewritten.
func (r *rewriter) listParts(list []ast.Expr) []part {
	var parts []part
	for i, text := range r.list(list) {
		parts = append(parts, part{list[i].Pos(), list[i].End(), text})
	}
	return parts
}

// binary is a binary expression.
func (r *rewriter) binary(e *ast.BinaryExpr) string {
	if e.Op == token.LAND || e.Op == token.LOR {
		return r.generic(e)
	}
	return r.splice(e.Pos(), e.End(), r.listParts([]ast.Expr{e.X, e.Y})...)
}
