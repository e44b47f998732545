package newdone

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/chanwait"
)

// waited is the statement by which the function waits for a goroutine that it starts, in
// the list in which the new channel is made; nil if it does not. A close that is deferred
// would come too late there. Nobody answers the goroutine behind it, and no path leads
// around it. The goroutine only sends: one that receives may still have values to take.
func waited(fn *mutate.Function, s starts.Start, ops []chanwait.Op) ast.Stmt {
	for _, op := range ops {
		if slices.ContainsFunc(op.Chan, func(e ast.Expr) bool { return !sends(op, e) }) {
			return nil
		}
	}
	at := mutate.Innermost(fn.Statements(), outermost(fn, s))
	for i := at.Index + 1; i < len(at.List); i++ {
		stmt := at.List[i]
		if !waitsFor(fn, s, stmt) || answeredBehind(fn, s, ops, stmt) {
			continue
		}
		if len(exits.Of(fn, at.List[at.Index:i]...)) > 0 {
			return nil
		}
		return stmt
	}
	return nil
}

// answeredBehind reports whether the other end of one of a goroutine's operations is at or
// behind a statement.
func answeredBehind(fn *mutate.Function, s starts.Start, ops []chanwait.Op, stmt ast.Stmt) bool {
	for _, op := range ops {
		for _, e := range op.Chan {
			c := s.To.Channel(e)
			if slices.ContainsFunc(slices.Concat(c.Receives, c.Ranges, c.Sends), func(u mutate.ChannelUse) bool {
				return slices.ContainsFunc(places(fn, u), func(at token.Pos) bool { return stmt.Pos() <= at })
			}) {
				return true
			}
		}
	}
	return false
}

// waitsFor reports whether a statement waits for the end of a goroutine: for its wait
// group, or at a channel that the goroutine closes or sends to.
func waitsFor(fn *mutate.Function, s starts.Start, stmt ast.Stmt) (found bool) {
	switch stmt.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt:
	default:
		return false
	}
	syntax.Now(stmt, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && sel.Sel.Name == "Wait" && len(n.Args) == 0 && counted(fn, s, sel.X)
		case *ast.UnaryExpr:
			c := fn.Channel(n.X)
			found = found || n.Op == token.ARROW && c != nil && slices.ContainsFunc(slices.Concat(c.Closes, c.Sends), func(u mutate.ChannelUse) bool {
				return u.Fn == s.To
			})
		}
	})
	return found
}

// counted reports whether a group counts a goroutine: it starts it, or the goroutine calls
// its Done.
func counted(fn *mutate.Function, s starts.Start, group ast.Expr) (found bool) {
	of := fn.Path(group)
	if of.Root == nil {
		return false
	}
	same := func(n ast.Node, in *mutate.Function, method string) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != method {
			return false
		}
		p := in.Path(sel.X)
		if in != fn {
			p = s.Name(p)
		}
		return p == of
	}
	if start, ok := s.Stmt.(*ast.ExprStmt); ok {
		return same(ast.Unparen(start.X), fn, "Go")
	}
	return syntax.Any(s.To.Body, func(n ast.Node) bool { return same(n, s.To, "Done") })
}
