package claimearly

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// What is tested is evaluated with the flag as it is when it has been assigned: who comes
// then has to leave. Anything else that a condition depends on is unknown.

// A branch is what an if, or a case of a switch, does under some conditions.
type branch struct {
	tag   ast.Expr   // that the conditions are compared with; nil: they are conditions
	conds []ast.Expr // one of which has to hold
	body  []ast.Stmt
}

func branches(s ast.Stmt) (out []branch) {
	switch s := s.(type) {
	case *ast.IfStmt:
		out = append(out, branch{conds: []ast.Expr{s.Cond}, body: s.Body.List})
	case *ast.SwitchStmt:
		for _, clause := range s.Body.List {
			c := clause.(*ast.CaseClause)
			out = append(out, branch{s.Tag, c.List, c.Body})
		}
	}
	return out
}

// A knowledge is what names stand for in the first section.
type knowledge struct {
	copies  map[types.Object]ast.Expr // variables, by what they are given
	entries map[types.Object]bool     // variables that say whether the flag is in its map
	result  constant.Value            // of the literal
}

// tested looks for the test, by which who finds the flag set leaves, and notes what
// it needs if it stands behind the section.
func (c *claim) tested() bool {
	switch {
	case c.first.lit != nil:
		return c.testedByLiteral()
	case c.first.asked != nil:
		return c.testedByCall()
	}
	if c.leaves() {
		return true
	}
	return c.testedBehind(c.given(), c.first.list[c.first.end+1:c.at])
}

// leaves reports whether the first section itself leaves where the flag is set.
func (c *claim) leaves() bool {
	know := c.given()
	return slices.ContainsFunc(c.first.section, func(s ast.Stmt) bool { return c.leaving(know, s) != nil })
}

// leaving is the branch of a statement that is taken if the flag is set, and leaves; nil: none.
func (c *claim) leaving(know knowledge, s ast.Stmt) *branch {
	for _, b := range branches(s) {
		if leaving(c.fn, b.body) && slices.ContainsFunc(b.conds, func(e ast.Expr) bool { return c.taken(know, b.tag, e) }) {
			return &b
		}
	}
	return nil
}

// testedBehind finds tests of copies behind the section.
func (c *claim) testedBehind(know knowledge, behind []ast.Stmt) bool {
	for i, s := range behind {
		b := c.leaving(know, s)
		if b == nil {
			continue
		}
		c.tests = append(c.tests, s)
		c.exact = c.exact || c.only(know, b)
		c.movable = i == 0 && c.onlyLeaves(s)
	}
	return len(c.tests) == 1 && (c.exact || c.movable) || len(c.tests) > 1 && c.exact
}

// onlyLeaves reports whether a test can be made under the lock: it does nothing else than
// to leave, and its conditions are names and constants.
func (c *claim) onlyLeaves(s ast.Stmt) bool {
	if c.first.lit != nil {
		return false
	}
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Init == nil && s.Else == nil && c.names(s.Cond)
	case *ast.SwitchStmt:
		return s.Init == nil && s.Tag != nil && c.names(s.Tag) && !slices.ContainsFunc(branches(s), func(b branch) bool {
			return len(b.conds) == 0 || !leaving(c.fn, b.body)
		})
	}
	return false
}

// testedByLiteral finds the check of what the literal returns.
func (c *claim) testedByLiteral() bool {
	know, check := c.given(), c.first.list[c.first.end]
	behind := c.first.list[c.first.end+1 : c.at]
	if _, isIf := check.(*ast.IfStmt); isIf {
		behind = []ast.Stmt{check}
	} else if a, ok := check.(*ast.AssignStmt); ok {
		know.copies[c.info.ObjectOf(a.Lhs[0].(*ast.Ident))] = a.Rhs[0]
	}
	if c.first.result != nil {
		know.result = c.eval(know, c.first.result)
		return know.result != nil && c.isBool(c.flag) && c.testedBehind(know, behind) && c.exact
	}
	for _, s := range c.first.section {
		b := c.leaving(know, s)
		if b == nil {
			continue
		}
		ret, ok := b.body[len(b.body)-1].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 {
			return false
		}
		know.result = c.info.Types[ret.Results[0]].Value
		c.exact = true // the return behind the test is reached without the flag only
		return know.result != nil && c.testedBehind(know, behind)
	}
	return false
}

// given is what the statements of the first section give names.
func (c *claim) given() knowledge {
	know := knowledge{copies: map[types.Object]ast.Expr{}, entries: map[types.Object]bool{}}
	note := func(lhs []ast.Expr, rhs []ast.Expr) {
		for i, l := range lhs {
			id, ok := l.(*ast.Ident)
			switch {
			case !ok || c.info.ObjectOf(id) == nil:
			case len(rhs) == len(lhs):
				know.copies[c.info.ObjectOf(id)] = rhs[i]
			case len(rhs) == 1 && i == 1 && c.same(rhs[0]):
				know.entries[c.info.ObjectOf(id)] = true
			}
		}
	}
	for _, s := range c.first.section {
		switch s := s.(type) {
		case *ast.AssignStmt:
			note(s.Lhs, s.Rhs)
		case *ast.IfStmt:
			if a, ok := s.Init.(*ast.AssignStmt); ok {
				note(a.Lhs, a.Rhs)
			}
		}
	}
	return know
}

// taken reports whether a condition holds where the flag is set.
func (c *claim) taken(know knowledge, tag, cond ast.Expr) bool {
	if tag != nil {
		return syntax.Equal(c.eval(know, tag), c.eval(know, cond))
	}
	if v := c.eval(know, cond); v != nil {
		return v.Kind() == constant.Bool && constant.BoolVal(v)
	}
	return c.counts() && c.compares(know, cond)
}

// counts reports whether the flag is a counter.
func (c *claim) counts() bool {
	a, assign := c.set.(*ast.AssignStmt)
	return !assign || a.Tok != token.ASSIGN
}

// compares reports whether a condition is a comparison of the flag, or has one that is enough.
func (c *claim) compares(know knowledge, cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if b.Op == token.LOR {
		return c.compares(know, b.X) || c.compares(know, b.Y)
	}
	return syntax.Compares(b.Op) && (c.stands(know, b.X) || c.stands(know, b.Y))
}

// stands reports whether an expression is the flag, or a copy of it.
func (c *claim) stands(know knowledge, e ast.Expr) bool {
	if c.same(e) {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && know.copies[c.info.ObjectOf(id)] != nil && c.same(know.copies[c.info.ObjectOf(id)])
}

// eval is the value of an expression where the flag is set; nil: it is not known.
func (c *claim) eval(know knowledge, e ast.Expr) constant.Value {
	return syntax.Evaluate(c.info, e, func(e ast.Expr) constant.Value { return c.part(know, e) })
}

// part is the value of a part of an expression that has to do with the flag; nil: of another.
func (c *claim) part(know knowledge, e ast.Expr) constant.Value {
	if c.same(e) {
		return c.value
	}
	switch e := e.(type) {
	case *ast.Ident:
		obj := c.info.ObjectOf(e)
		if know.entries[obj] {
			return constant.MakeBool(true)
		}
		if from := know.copies[obj]; from != nil && !syntax.Names(c.info, from, obj) {
			return c.eval(know, from)
		}
	case *ast.CallExpr:
		if lit, ok := ast.Unparen(e.Fun).(*ast.FuncLit); ok && lit == c.first.lit {
			return know.result
		}
		if c.first.asked != nil && e == c.first.asked.call {
			return c.first.asked.value(c.value)
		}
	case *ast.BinaryExpr: // with nil, which has no value
		for _, pair := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
			if c.present && c.info.Types[pair[1]].IsNil() && c.stands(know, pair[0]) {
				return constant.MakeBool(e.Op == token.NEQ)
			}
		}
	}
	return nil
}

func (c *claim) isBool(e ast.Expr) bool {
	b, ok := c.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// only reports whether a branch is left by those alone who find the flag with the value
// that is assigned: to assign it once more changes nothing.
func (c *claim) only(know knowledge, b *branch) bool {
	if len(b.conds) != 1 || c.counts() {
		return false
	}
	cond := ast.Unparen(b.conds[0])
	switch {
	case b.tag != nil:
		return c.stands(know, b.tag) && c.value != nil
	case c.isBool(c.flag) && c.value != nil:
		with := *c
		with.value = constant.UnaryOp(token.NOT, c.value, 0)
		know.result = c.opposite(know)
		v := with.eval(know, cond)
		return v != nil && !constant.BoolVal(v)
	}
	if id, ok := cond.(*ast.Ident); ok && know.entries[c.info.ObjectOf(id)] {
		set, isStruct := c.info.TypeOf(c.flag).Underlying().(*types.Struct)
		return isStruct && set.NumFields() == 0
	}
	e, ok := cond.(*ast.BinaryExpr)
	return ok && e.Op == token.EQL && c.value != nil && (c.stands(know, e.X) || c.stands(know, e.Y))
}

// opposite is what the literal returns where the flag is not set, if it says no more than that.
func (c *claim) opposite(know knowledge) constant.Value {
	if know.result == nil || c.first.result == nil {
		return nil
	}
	with := *c
	with.value = constant.UnaryOp(token.NOT, c.value, 0)
	return with.eval(knowledge{copies: know.copies}, c.first.result)
}
