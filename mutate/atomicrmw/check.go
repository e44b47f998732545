package atomicrmw

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// note is why a check and a store are one step.
const note = "only one may find it so"

// A condition is one about the value of an atomic variable.
type condition struct {
	access
	value string // what is compared with
	equal bool   // it holds if the variable has the value
}

// conditionOf takes a condition apart; ok is false for others.
func conditionOf(fn *mutate.Function, e ast.Expr) (c condition, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		c, ok = conditionOf(fn, e.X)
		if ok && e.Op == token.NOT {
			c.equal = !c.equal
			return c, true
		}
		return c, false
	case *ast.BinaryExpr:
		if e.Op != token.EQL && e.Op != token.NEQ {
			return c, false
		}
		a, isLoad := accessOf(fn, e.X)
		with := e.Y
		if !isLoad {
			a, isLoad = accessOf(fn, e.Y)
			with = e.X
		}
		return condition{access: a, value: types.ExprString(with), equal: e.Op == token.EQL}, isLoad && !a.store && !calls(fn, with)
	case *ast.CallExpr:
		a, isLoad := accessOf(fn, e)
		return condition{access: a, value: "true", equal: true}, isLoad && !a.store && a.truth
	}
	return c, false
}

// calls reports whether an expression calls a function, which a conversion does not.
func calls(fn *mutate.Function, e ast.Expr) bool {
	return syntax.Any(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && !fn.File.Package.Info.Types[call.Fun].IsType()
	})
}

// old is the value that the variable has if the condition holds, or if it does not.
func (c condition) old(holds bool) (value string, ok bool) {
	switch {
	case c.equal == holds:
		return c.value, true
	case c.truth && c.value == "true":
		return "false", true
	case c.truth && c.value == "false":
		return "true", true
	}
	return "", false
}

// checked is an if that stores when the variable has a value.
func checked(fn *mutate.Function, s *ast.IfStmt) (p pair, ok bool) {
	c, ok := conditionOf(fn, s.Cond)
	if !ok || s.Init != nil {
		return p, false
	}
	old, ok := c.old(true)
	if !ok {
		return p, false
	}
	for i, inner := range s.Body.List {
		if a, ok := stored(fn, inner); ok && a.target == c.target {
			if uses(a.value, c.target) || !known(fn, a.value, s) {
				return p, false
			}
			now := c.write("CompareAndSwap", old, types.ExprString(a.value))
			return pair{form: check, load: s, store: inner, now: now, note: note}, i == 0 || len(exits.Of(fn, s.Body.List[:i]...)) == 0
		}
		if uses(inner, c.target) {
			return p, false
		}
	}
	return p, false
}

// refused is an if that leaves unless the variable has a value, with a store
// behind it.
func refused(fn *mutate.Function, st mutate.Statement, s *ast.IfStmt) (p pair, ok bool) {
	c, ok := conditionOf(fn, s.Cond)
	if !ok || s.Init != nil || s.Else != nil || !leaves(s.Body) || uses(s.Body, c.target) {
		return p, false
	}
	old, ok := c.old(false)
	if !ok {
		return p, false
	}
	at, a, ok := next(fn, st, c.target)
	if !ok || len(exits.Of(fn, st.List[st.Index+1:at]...)) > 0 || !knownAt(fn, a.value, st, at) {
		return p, false
	}
	now := "!" + c.write("CompareAndSwap", old, types.ExprString(a.value))
	return pair{form: check, load: s, store: st.List[at], now: now, note: note}, true
}

// leaves reports whether a body ends in a return, break, continue, goto or panic.
func leaves(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	switch s := body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// known reports whether a value is known before an if: it calls nothing and names
// nothing that is declared or assigned inside.
func known(fn *mutate.Function, value ast.Expr, s *ast.IfStmt) bool {
	ok := !calls(fn, value)
	ast.Inspect(value, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			v, variable := fn.File.Package.Info.Uses[id].(*types.Var)
			ok = ok && (!variable || v.IsField() || v.Pos() < s.Pos()) && !fn.Reassigns(id.Name, s.Body.List...)
		}
		return ok
	})
	return ok
}
