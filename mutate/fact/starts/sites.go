package starts

import (
	"go/ast"
	"go/token"

	"mendel/mutate"
)

// A Site is a call of the original that may run a function in the goroutine of the
// function that makes it, by its name, as a value or as an interface's method.
type Site struct {
	Fn   *mutate.Function // what makes the call
	Expr *ast.CallExpr
	At   mutate.Statement // the innermost statement around it
}

// Deferred reports whether the call is made when its function returns.
func (s Site) Deferred() bool {
	d, ok := s.At.Stmt.(*ast.DeferStmt)
	return ok && d.Call == s.Expr
}

// Sites lists the calls, in functions that may be edited, that may run the function,
// in source order.
func Sites(fn *mutate.Function) []Site {
	var sites []Site
	for _, c := range fn.Program.Callers(fn.Node) {
		from := fn.OfNode(c.Caller)
		if from == nil {
			continue
		}
		if call := callAt(from, c.Lparen); call != nil {
			sites = append(sites, Site{Fn: from, Expr: call, At: mutate.Innermost(from.Statements(), call)})
		}
	}
	return sites
}

// callAt is the call of the function itself whose parenthesis is at a position.
func callAt(fn *mutate.Function, lparen token.Pos) (found *ast.CallExpr) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == lparen {
			found = call
		}
		return n != nil && found == nil && n.Pos() <= lparen && lparen < n.End()
	})
	return found
}
