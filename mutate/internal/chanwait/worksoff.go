package chanwait

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/mutate"
)

// WorksOff reports whether a function makes a send, too, for who works off what is left when an end has come: the
// function is called, directly or not, in a loop behind a receive from a channel that tells an end. To give the send
// up throws away what was to be worked off.
//
//	case <-s.quit:
//		for len(s.in) > 0 {
//			s.encode(<-s.in) // sends to s.encoded
//		}
//		return
func WorksOff(fn *mutate.Function, op Op) bool {
	if _, send := op.At.(*ast.SendStmt); !send {
		return false
	}
	for _, h := range fn.OfPackage() {
		if h.File.Test {
			continue
		}
		works := false
		ast.Inspect(h.Body, func(n ast.Node) bool {
			clause, ok := n.(*ast.CommClause)
			if !ok || works {
				return !works
			}
			comm, ok := clause.Comm.(*ast.ExprStmt)
			if !ok {
				return true
			}
			e, ok := ast.Unparen(comm.X).(*ast.UnaryExpr)
			if ok && e.Op == token.ARROW && tellsEnd(h, e.X) {
				works = inLoop(h, fn, clause.Body)
			}
			return true
		})
		if works {
			return true
		}
	}
	return false
}

// tellsEnd reports whether nothing but the end of something can be received from a channel.
func tellsEnd(fn *mutate.Function, ch ast.Expr) bool {
	t, ok := fn.File.Package.Info.TypeOf(ch).Underlying().(*types.Chan)
	return ok && Empty(t.Elem())
}

// inLoop reports whether a loop among some statements calls a function.
func inLoop(in, fn *mutate.Function, stmts []ast.Stmt) (found bool) {
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				found = found || calls(in, fn, n.Body.List, maxDepth)
			case *ast.RangeStmt:
				found = found || calls(in, fn, n.Body.List, maxDepth)
			}
			return !found
		})
	}
	return found
}

// maxDepth is how deep calls are followed.
const maxDepth = 3

// calls reports whether statements call a function, directly or not.
func calls(in, fn *mutate.Function, stmts []ast.Stmt, depth int) bool {
	for _, c := range in.Calls(stmts...) {
		if c.To == fn || depth > 0 && calls(c.To, fn, c.To.Body.List, depth-1) {
			return true
		}
	}
	return false
}
