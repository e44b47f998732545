package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Opposite is a condition that holds when another does not, as Go writes it most simply:
// "!ok" of "ok", "n != 0" of "n == 0". Of a comparison by order neither holds for a
// floating-point number that is not a number.
func Opposite(cond ast.Expr) string {
	switch c := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return types.ExprString(c.X)
		}
	case *ast.BinaryExpr:
		if op := OppositeOf(c.Op); op != token.ILLEGAL {
			return types.ExprString(&ast.BinaryExpr{X: c.X, Op: op, Y: c.Y})
		}
		return "!(" + types.ExprString(c) + ")"
	}
	return "!" + types.ExprString(cond)
}

// OppositeOf is the comparison that holds when another does not; ILLEGAL of what compares
// nothing.
func OppositeOf(op token.Token) token.Token {
	switch op {
	case token.EQL:
		return token.NEQ
	case token.NEQ:
		return token.EQL
	case token.LSS:
		return token.GEQ
	case token.GEQ:
		return token.LSS
	case token.GTR:
		return token.LEQ
	case token.LEQ:
		return token.GTR
	}
	return token.ILLEGAL
}
