package rules

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
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
	x[key][syntax.Opposite(s.Cond)] = true
}

// by reports whether a condition is one by which a function is left early.
func (x exits) by(key string, cond ast.Expr) bool { return x[key][syntax.Opposite(cond)] }

// behind reports whether a condition is one behind an exit of a function.
func (x exits) behind(key string, cond ast.Expr) bool { return x[key][types.ExprString(cond)] }
