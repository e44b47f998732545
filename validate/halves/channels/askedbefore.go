package channels

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// AskedBefore finds sends in front of which a patch asks whether a context has ended, and that wait whatever happens
// then: it may end while they wait.
//
//	if ctx.Err() == nil {
//		out <- batch
//	}
func AskedBefore(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) || asksErr(fn.Info(), fn.Body) <= asksErr(was.Info(), was.Body) {
			continue
		}
		had := len(askedSends(was))
		if sends := askedSends(fn); len(sends) > had {
			for _, s := range sends {
				if hasOwnRoom(fn, s) {
					continue
				}
				found = append(found, c.At(fn, s.Pos(), "the context is asked before %s is sent to, and may end while that waits", types.ExprString(s.Chan)))
			}
		}
	}
	return found
}

// asksErr counts the calls of a context's Err.
func asksErr(info *types.Info, code ast.Node) (n int) {
	ast.Inspect(code, func(x ast.Node) bool {
		if call, ok := x.(*ast.CallExpr); ok {
			if f := syntax.Callee(info, call.Fun); f != nil && f.FullName() == "(context.Context).Err" {
				n++
			}
		}
		return true
	})
	return n
}

// askedSends are the sends outside of any select that an if has in its body, or in front of it, which asks whether a
// context has ended.
func askedSends(fn *pair.Function) (all []*ast.SendStmt) {
	plain := func(list []ast.Stmt) {
		for _, s := range list {
			if send, ok := s.(*ast.SendStmt); ok {
				all = append(all, send)
			}
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CommClause:
			list = n.Body
		case *ast.CaseClause:
			list = n.Body
		}
		for i, s := range list {
			branch, ok := s.(*ast.IfStmt)
			if !ok || asksErr(fn.Info(), branch.Cond) == 0 && (branch.Init == nil || asksErr(fn.Info(), branch.Init) == 0) {
				continue
			}
			plain(branch.Body.List)
			if i+1 < len(list) && pair.HasReturn(branch.Body) {
				plain(list[i+1 : i+2])
			}
		}
		return true
	})
	return all
}

// hasOwnRoom reports whether a send is to a channel of the function that has room.
func hasOwnRoom(fn *pair.Function, s *ast.SendStmt) bool {
	v := syntax.Variable(fn.Info(), s.Chan)
	return slices.ContainsFunc(madeIn(fn), func(m made) bool { return m.of == v && m.room != nil })
}
