package validate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// exits are, for the declared functions by key, the conditions under which the statements
// behind an early exit are reached: "!ok" behind
//
//	if ok {
//		return
//	}
//
// A mutant that does these statements if the condition holds does them as often.
type exits map[string]map[string]bool

// add notes the exit that an if statement is, if it is one.
func (x exits) add(key string, s *ast.IfStmt) {
	if s.Else != nil || len(s.Body.List) == 0 || !leaves(s.Body.List[len(s.Body.List)-1]) {
		return
	}
	if x[key] == nil {
		x[key] = map[string]bool{}
	}
	x[key][opposite(s.Cond)] = true
}

// behind reports whether a condition is one behind an exit of a function.
func (x exits) behind(key string, cond ast.Expr) bool { return x[key][types.ExprString(cond)] }

// opposite is a condition that holds when another does not, as it is written most simply.
func opposite(cond ast.Expr) string {
	switch c := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return types.ExprString(c.X)
		}
	case *ast.BinaryExpr:
		if op, ok := opposites[c.Op]; ok {
			return types.ExprString(&ast.BinaryExpr{X: c.X, Op: op, Y: c.Y})
		}
		return "!(" + types.ExprString(cond) + ")"
	}
	return "!" + types.ExprString(cond)
}

var opposites = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}
