package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Evaluate is the value of an expression of constants, comparisons and conditions in which
// some parts have values that the caller knows; nil if it depends on anything else.
func Evaluate(info *types.Info, e ast.Expr, known func(ast.Expr) constant.Value) constant.Value {
	if v := info.Types[e].Value; v != nil {
		return v
	}
	if v := known(ast.Unparen(e)); v != nil {
		return v
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if v := Evaluate(info, e.X, known); e.Op == token.NOT && v != nil {
			return constant.UnaryOp(token.NOT, v, 0)
		}
	case *ast.BinaryExpr:
		return combine(e.Op, Evaluate(info, e.X, known), Evaluate(info, e.Y, known))
	}
	return nil
}

// combine is the value of an operation on two values, nil: of which nothing is known.
func combine(op token.Token, x, y constant.Value) constant.Value {
	switch {
	case op == token.LAND || op == token.LOR:
		for _, v := range []constant.Value{x, y} {
			if v != nil && constant.BoolVal(v) == (op == token.LOR) {
				return v // whatever the other one is
			}
		}
		if x != nil && y != nil {
			return constant.BinaryOp(x, op, y)
		}
	case x != nil && y != nil && Compares(op) && x.Kind() == y.Kind():
		return constant.MakeBool(constant.Compare(x, op, y))
	}
	return nil
}

// Equal reports whether two values are known and the same.
func Equal(x, y constant.Value) bool {
	return x != nil && y != nil && x.Kind() == y.Kind() && constant.Compare(x, token.EQL, y)
}

// Constant reports whether an expression is the same whenever it is evaluated: a
// constant, nil, or a literal without elements.
func Constant(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0
}
