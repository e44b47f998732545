package mutate

import (
	"go/ast"
	"go/token"
)

// A Site is a call of the original that may run a function in the goroutine of the
// function that makes it, by its name, as a value or as an interface's method.
type Site struct {
	Fn   *Function // what makes the call
	Expr *ast.CallExpr
	At   Statement // the innermost statement around it
}

// Deferred reports whether the call is made when its function returns.
func (s Site) Deferred() bool {
	d, ok := s.At.Stmt.(*ast.DeferStmt)
	return ok && d.Call == s.Expr
}

// Sites lists the calls, in functions that may be edited, that may run the function,
// in source order.
func (fn *Function) Sites() []Site {
	var sites []Site
	for _, c := range fn.Program.Callers(fn.Node) {
		from := fn.space.function(c.Caller)
		if from == nil {
			continue
		}
		if call := from.callAt(c.Lparen); call != nil {
			sites = append(sites, Site{Fn: from, Expr: call, At: Innermost(statements.Of(from), call)})
		}
	}
	return sites
}

// callAt is the call of the function itself whose parenthesis is at a position.
func (fn *Function) callAt(lparen token.Pos) (found *ast.CallExpr) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == lparen {
			found = call
		}
		return n != nil && found == nil && n.Pos() <= lparen && lparen < n.End()
	})
	return found
}

// function is the function of a declaration or literal; nil if it may not be edited.
func (s *Space) function(node ast.Node) *Function {
	return s.byNode.get(func() map[ast.Node]*Function {
		known := make(map[ast.Node]*Function)
		for _, list := range s.functions {
			for _, fn := range list {
				known[fn.Node] = fn
			}
		}
		return known
	})[node]
}
