package syncops

import (
	"go/token"

	"github.com/dave/dst"

	"mendel/mutate"
)

// InsertSince inserts a snippet where Since has found an edit's channel to
// begin: behind the statement Other, or at the head of the function around Node.
func InsertSince(m *mutate.Mutation, e mutate.Edit, src string) error {
	if e.Other != 0 {
		return m.InsertSnippet(e.File, m.Stmt(e.File, e.Other), true, src)
	}
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no function around the place")
	}
	return m.Prepend(e.File, fn.ID(fn.Node), src)
}

// Received is the channel that an expression receives from; nil if it does not.
func Received(e dst.Expr) dst.Expr {
	for {
		switch x := e.(type) {
		case *dst.ParenExpr:
			e = x.X
			continue
		case *dst.UnaryExpr:
			if x.Op == token.ARROW {
				return x.X
			}
		}
		return nil
	}
}
