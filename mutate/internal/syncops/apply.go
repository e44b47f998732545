package syncops

import (
	"go/token"

	"github.com/dave/dst"

	"mendel/mutate"
)

// InsertSince inserts a snippet where Since has found an edit's channel to
// begin: behind the statement Other, or at the head of the function around Node.
func InsertSince(m *mutate.Mutation, e mutate.Edit, src string) error {
	var err error
	if e.Other != 0 {
		behind, ok := m.Node(e.File, e.Other).(dst.Stmt)
		if !ok {
			return mutate.Refuse(e, "another edit removed the declaration")
		}
		err = m.InsertSnippet(e.File, behind, true, src)
	} else {
		fn := m.Function(e.File, e.Node)
		if fn == nil {
			return mutate.Refuse(e, "there is no function around the place")
		}
		err = m.Prepend(e.File, fn.ID(fn.Node), src)
	}
	if err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	return nil
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
