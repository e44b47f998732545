package waitgroups

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// Final reports whether each call of Done is the last thing that the function
// does on its path: deferred, at its end, or right before a return. Then the
// function is right, too, with one call that is deferred.
func Final(fn *mutate.Function, done []Call) bool {
	return !slices.ContainsFunc(done, func(c Call) bool { return !c.Alone() || !c.Deferred() && !last(fn, c) })
}

func last(fn *mutate.Function, c Call) bool {
	list, i := c.At.List, c.At.Index
	if i+1 < len(list) {
		ret, ok := list[i+1].(*ast.ReturnStmt)
		return ok && syntax.NamesOnly(ret.Results)
	}
	return len(fn.Body.List) > 0 && fn.Body.List[len(fn.Body.List)-1] == c.At.Stmt
}

// Missed reports whether the function may be left, other than at its end, without
// one of its calls of Done.
func Missed(fn *mutate.Function, done []Call) bool {
	return slices.ContainsFunc(exits.Of(fn, fn.Body.List...), func(exit ast.Stmt) bool {
		return !slices.ContainsFunc(done, func(c Call) bool { return reaches(c, exit) })
	})
}

// reaches reports whether Done has been called, or deferred, when a function is
// left by an exit.
func reaches(c Call, exit ast.Stmt) bool {
	if c.Deferred() { // it stands above the exit, in a list around it
		return c.At.Stmt.Pos() < exit.Pos() && c.At.Owner.Pos() <= exit.Pos() && exit.End() <= c.At.Owner.End()
	}
	i := c.At.Index + 1
	return i < len(c.At.List) && c.At.List[i] == exit
}

// Receiver is what the method is called on.
func (c Call) Receiver() ast.Expr { return ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr).X }
