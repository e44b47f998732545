package claimearly

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// A removal takes out what the first section has found, an entry of a map or what a variable
// points to, after something was done with it that is to be done once. Here the flag is what is
// found, and nothing tests it: who comes second finds nothing.

// deleted is the entry that a statement deletes from a map; nil: it does not.
func deleted(fn *mutate.Function, s *ast.ExprStmt) ast.Expr {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok || syntax.Builtin(fn.File.Package.Info, call) != "delete" || len(call.Args) != 2 {
		return nil
	}
	m, key := call.Args[0], call.Args[1]
	return &ast.IndexExpr{X: m, Lbrack: m.End(), Index: key, Rbrack: call.Rparen}
}

// removalsIn lists the removals in sections in the body of an if.
func (f *first) removalsIn(fn *mutate.Function, s ast.Stmt) (out []later) {
	check, ok := s.(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil {
		return nil
	}
	list := check.Body.List
	for i := 0; i < len(list); i++ {
		if !f.acquires(fn, list[i]) {
			continue
		}
		found, end := f.inSection(fn, list, i)
		for _, l := range found {
			if l.removes {
				l.found, l.before = check.Cond, append(slices.Clone(list[:i]), l.before...)
				out = append(out, l)
			}
		}
		i = end
	}
	return out
}

// A finding is what a section finds: its value, and whether it is there.
type finding struct{ value, there types.Object }

// planRemoval is [claim.plan] for a removal.
func (c *claim) planRemoval() bool {
	v := c.variable()
	if v == nil || v.Kind() == types.LocalVar && v.Pos() > c.first.acquire.Pos() || c.deferred ||
		c.first.lit != nil || c.first.asked != nil || !c.names(c.flag) {
		return false
	}
	found, ok := c.lookup()
	if !ok || c.found != nil && !found.means(c.info, c.found, true) {
		return false
	}
	c.collect()
	return c.usedOnce(found) && !c.disturbsRemoval(found) && !c.awaitsRemoval()
}

// lookup is what the first section finds; not ok if it does not look, or puts something there.
func (c *claim) lookup() (found finding, ok bool) {
	for _, s := range c.first.section {
		if e, is := s.(*ast.ExprStmt); is && deleted(c.fn, e) != nil && syntax.Variable(c.info, e.X.(*ast.CallExpr).Args[0]) == c.variable() {
			return found, false // it is taken out already
		}
		a, is := s.(*ast.AssignStmt)
		if is && len(a.Rhs) == 1 && c.same(a.Rhs[0]) && (a.Tok == token.DEFINE || a.Tok == token.ASSIGN) {
			found.value = c.object(a.Lhs[0])
			if len(a.Lhs) == 2 {
				found.there = c.object(a.Lhs[1])
			}
			ok = found.value != nil
			continue
		}
		if c.assignsIn(s, func(e ast.Expr) bool {
			v := syntax.Variable(c.info, e)
			return v != nil && (v.Origin() == c.variable() || v == found.value)
		}) {
			return found, false
		}
	}
	return found, ok
}

// object is the local variable that an expression is; nil: another one, or none.
func (c *claim) object(e ast.Expr) types.Object {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := c.info.ObjectOf(id).(*types.Var)
	if !ok || v.Kind() != types.LocalVar {
		return nil
	}
	return v
}

// assignsIn reports whether code assigns to one of some variables, or to entries of them.
func (c *claim) assignsIn(code ast.Node, is func(ast.Expr) bool) bool {
	return syntax.Any(code, func(n ast.Node) bool {
		stmt, ok := n.(ast.Stmt)
		return ok && slices.ContainsFunc(syntax.Assigned(stmt), func(e ast.Expr) bool {
			if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
				e = index.X
			}
			return is(e)
		})
	})
}

// means reports whether a condition only says that something was found, or that nothing was.
func (f finding) means(info *types.Info, cond ast.Expr, found bool) bool {
	is := func(e ast.Expr, obj types.Object) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && obj != nil && info.ObjectOf(id) == obj
	}
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident:
		return found && is(e, f.there)
	case *ast.UnaryExpr:
		return e.Op == token.NOT && !found && is(e.X, f.there)
	case *ast.BinaryExpr:
		if e.Op == token.LAND && found { // something was found, and more
			return f.means(info, e.X, found) || f.means(info, e.Y, found)
		}
		op := token.EQL
		if found {
			op = token.NEQ
		}
		return e.Op == op && is(e.X, f.value) && info.Types[e.Y].IsNil()
	}
	return false
}

// usedOnce reports whether something is done with what was found: a close, a send or a call.
func (c *claim) usedOnce(found finding) bool {
	of := func(e ast.Expr) bool {
		root := syntax.Root(e)
		return root != nil && c.info.ObjectOf(root) == found.value
	}
	return slices.ContainsFunc(c.between, func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt:
				return of(n.Chan)
			case *ast.CallExpr:
				if syntax.Builtin(c.info, n) == "close" {
					return of(n.Args[0])
				}
				return of(n.Fun) || c.fn.Declared(syntax.Callee(c.info, n.Fun)) != nil && slices.ContainsFunc(n.Args, of)
			}
			return false
		})
	})
}

// disturbsRemoval reports whether the removal cannot come before what is between, or what is
// behind it in its section must come with it.
func (c *claim) disturbsRemoval(found finding) bool {
	run := &run{fn: c.fn, variable: c.variable(), apart: true, seen: map[*mutate.Function]bool{}}
	if slices.ContainsFunc(slices.Concat(c.between, c.after), func(s ast.Stmt) bool { return run.uses(c.fn, s) }) {
		return true
	}
	for _, s := range c.between {
		if exits.HasGotoTarget(c.fn, s) || exits.Terminates(c.fn, s) || c.changes(s) ||
			c.assignsIn(s, func(e ast.Expr) bool { return c.object(ast.Unparen(e)) == found.value }) {
			return true
		}
		check, ok := s.(*ast.IfStmt)
		nothing := ok && check.Init == nil && check.Else == nil && found.means(c.info, check.Cond, false)
		if !nothing && len(exits.Of(c.fn, s)) > 0 {
			return true
		}
	}
	return false
}

// awaitsRemoval reports whether a function waits in a loop until something has been taken out,
// which says that all is done with it.
func (c *claim) awaitsRemoval() bool {
	return slices.ContainsFunc(c.fn.OfPackage(), func(g *mutate.Function) bool {
		return slices.ContainsFunc(g.Statements(), func(st mutate.Statement) bool {
			loop, ok := st.Stmt.(*ast.ForStmt)
			return ok && loop.Cond != nil && namesField(g, loop.Cond, c.variable())
		})
	})
}
