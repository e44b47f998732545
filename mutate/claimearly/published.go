package claimearly

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// published reports whether the flag says that something has been done: others wait until it
// is set, or use what is assigned between the sections or with the flag where they find it
// set. They would go on too early.
func (c *claim) published() bool {
	ready := c.assigned()
	for _, g := range c.fn.OfPackage() {
		if c.awaited(g) || len(ready) > 0 && c.reliesOn(g, ready) {
			return true
		}
	}
	return false
}

// assigned are the variables that are assigned between the sections, and in the second.
func (c *claim) assigned() []*types.Var {
	var out []*types.Var
	for _, s := range slices.Concat(c.between, c.after) {
		ast.Inspect(s, func(n ast.Node) bool {
			stmt, ok := n.(ast.Stmt)
			if !ok {
				return true
			}
			for _, e := range syntax.Assigned(stmt) {
				if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
					e = index.X
				}
				v := syntax.Variable(c.info, e)
				if v != nil && v.Origin() != c.variable() && (v.Kind() != types.LocalVar || v.Pos() < c.first.acquire.Pos()) {
					out = append(out, v.Origin())
				}
			}
			return true
		})
	}
	return out
}

// reliesOn reports whether a function uses one of some variables where it has found the
// flag set.
func (c *claim) reliesOn(g *mutate.Function, ready []*types.Var) bool {
	uses := func(code ast.Node) bool {
		return slices.ContainsFunc(ready, func(v *types.Var) bool { return namesField(g, code, v) })
	}
	for _, st := range g.Statements() {
		var cond ast.Expr
		var then, otherwise []ast.Stmt
		switch s := st.Stmt.(type) {
		case *ast.IfStmt:
			cond, then, otherwise = s.Cond, s.Body.List, st.List[st.Index+1:]
			if s.Else != nil {
				otherwise = append([]ast.Stmt{s.Else}, otherwise...)
			} else if !leaving(g, then) {
				otherwise = nil
			}
		case *ast.ForStmt:
			cond, otherwise = s.Cond, st.List[st.Index+1:]
		case *ast.ReturnStmt:
			if namesField(g, s, c.variable()) && uses(s) {
				return true
			}
		}
		if cond == nil || !namesField(g, cond, c.variable()) {
			continue
		}
		holds, known := c.holds(g, cond)
		if (holds || !known) && slices.ContainsFunc(then, func(s ast.Stmt) bool { return uses(s) }) ||
			(!holds || !known) && slices.ContainsFunc(otherwise, func(s ast.Stmt) bool { return uses(s) }) {
			return true
		}
	}
	return false
}

// awaited reports whether a function only waits in a loop until the flag is set.
func (c *claim) awaited(g *mutate.Function) bool {
	return slices.ContainsFunc(g.Statements(), func(st mutate.Statement) bool {
		loop, ok := st.Stmt.(*ast.ForStmt)
		if !ok || loop.Cond == nil || !namesField(g, loop.Cond, c.variable()) {
			return false
		}
		holds, known := c.holds(g, loop.Cond)
		works := slices.ContainsFunc(loop.Body.List, func(s ast.Stmt) bool {
			_, call := s.(*ast.ExprStmt)
			return !call
		})
		return known && !holds && !works && onlyAbout(g, loop.Cond, c.variable())
	})
}

// onlyAbout reports whether a condition calls nothing, and names no other field with a plain
// value.
func onlyAbout(g *mutate.Function, cond ast.Expr, v *types.Var) bool {
	info := g.File.Package.Info
	return !syntax.Any(cond, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			f, isField := info.Uses[sel.Sel].(*types.Var)
			return isField && f.Origin() != v && info.TypeOf(sel) != nil && isBasic(info.TypeOf(sel))
		}
		_, call := n.(*ast.CallExpr)
		return call
	})
}

// holds evaluates a condition of any function where the flag is set.
func (c *claim) holds(g *mutate.Function, cond ast.Expr) (holds, known bool) {
	there := *c
	there.fn, there.info = g, g.File.Package.Info
	there.anywhere = true
	v := there.eval(knowledge{}, cond)
	if v == nil || v.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(v), true
}

// namesField reports whether code names a variable, or a field of any value.
func namesField(g *mutate.Function, code ast.Node, v *types.Var) bool {
	info := g.File.Package.Info
	return syntax.Any(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		used, ok := info.Uses[id].(*types.Var)
		return ok && used.Origin() == v
	})
}
