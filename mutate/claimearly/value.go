package claimearly

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// known finds out what is assigned, and reports whether the first section can assign it,
// too: a constant, or what is made of names that mean the same there.
func (c *claim) known() bool {
	v := c.variable()
	if v == nil || v.Kind() == types.LocalVar && v.Pos() > c.first.acquire.Pos() {
		return false
	}
	switch s := c.set.(type) {
	case *ast.IncDecStmt:
		return c.names(s.X)
	case *ast.AssignStmt:
		value := s.Rhs[0]
		c.value = c.info.Types[value].Value
		if s.Tok != token.ASSIGN {
			return (s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN) && c.value != nil && c.names(s.Lhs[0])
		}
		_, entry := ast.Unparen(c.flag).(*ast.IndexExpr)
		c.present = entry || makes(c.info, value)
		return c.names(s.Lhs[0]) && (c.value != nil || c.present && c.names(value))
	}
	return false
}

// names reports whether an expression can be evaluated in the first section, with the same
// result and no effect.
func (c *claim) names(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			builtin := syntax.Builtin(c.info, n)
			ok = ok && (c.info.Types[n.Fun].IsType() || builtin == "make" || builtin == "new")
		case *ast.KeyValueExpr:
			if _, field := n.Key.(*ast.Ident); field && !c.info.Types[n.Key].IsValue() {
				ok = ok && c.names(n.Value)
				return false
			}
		case *ast.SelectorExpr:
			ok = ok && c.names(n.X)
			return false
		case *ast.Ident:
			ok = ok && c.meansThere(n)
		}
		return ok
	})
	return ok
}

// meansThere reports whether a name means the same in the first section.
func (c *claim) meansThere(id *ast.Ident) bool {
	obj := c.info.ObjectOf(id)
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() {
		return true
	}
	if scope := c.fn.File.Package.Types.Scope().Innermost(c.first.anchor.Pos()); scope != nil {
		_, found := scope.LookupParent(id.Name, c.first.anchor.Pos())
		return found == obj
	}
	return false
}

// makes reports whether an expression makes something new, which is not nil.
func makes(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		_, composite := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && composite
	case *ast.CallExpr:
		builtin := syntax.Builtin(info, e)
		return builtin == "make" || builtin == "new"
	}
	return false
}

// states are the constants that stand between the value with which the test goes on and
// the one that is assigned, in the order of their declaration: for those who say so while
// the change is under way. The test has to leave for them.
func (c *claim) states() []string {
	named, ok := types.Unalias(c.info.TypeOf(c.flag)).(*types.Named)
	if !ok || c.value == nil || named.Obj().Pkg() != c.fn.File.Package.Types {
		return nil
	}
	all := constantsOf(named)
	i := slices.IndexFunc(all, func(k *types.Const) bool { return constant.Compare(k.Val(), token.EQL, c.value) })
	if i < 0 {
		return nil
	}
	var names []string
	goesOn := false
	for _, k := range all[:i] {
		with := *c
		with.value, with.tests, with.exact = k.Val(), nil, false
		switch {
		case !with.tested():
			goesOn, names = true, nil
		case goesOn && !with.published():
			names = append(names, k.Name())
		}
	}
	return names
}

// constantsOf are the constants of a type of the package, in the order of their declaration.
func constantsOf(named *types.Named) (all []*types.Const) {
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if k, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(k.Type(), named) {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b *types.Const) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return all
}
