package join

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// byChannel is the edit of a new group with a channel in its place, which the
// goroutine closes; ok is false unless there is one goroutine, a literal's,
// that is started once wherever it is waited for.
func (u use) byChannel(e mutate.Edit) (_ mutate.Edit, ok bool) {
	g := u.starts[0]
	if e.Form != group || len(u.starts) > 1 || g.Lit == nil || u.first != ast.Stmt(g.Go) {
		return e, false
	}
	e.Form, e.Expr = channel, scope.FreeName(u.fn, "done")
	return e, builtin(u.fn, "make", u.first.Pos()) && builtin(u.fn, "close", g.Lit.Body.Lbrace+1)
}

// builtin reports whether a name means the built-in function at a position.
func builtin(fn *mutate.Function, name string, at token.Pos) bool {
	inner := fn.File.Package.Types.Scope().Innermost(at)
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(name, at)
	return found == types.Universe.Lookup(name)
}

// jumped reports whether a goto in front of a statement leads behind it: no
// variable may be declared there.
func jumped(fn *mutate.Function, over ast.Stmt) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO && b.Pos() < over.Pos() {
			label := fn.File.Package.Info.Uses[b.Label]
			found = found || label != nil && label.Pos() > over.Pos()
		}
		_, literal := n.(*ast.FuncLit)
		return !found && !literal
	})
	return found
}

// declareChannel makes a channel that the goroutine closes when it ends.
func (u use) declareChannel(m *mutate.Mutation, e mutate.Edit) error {
	if err := m.InsertSnippet(e.File, m.Stmt(e.File, e.Node), false, e.Expr+" := make(chan struct{})"); err != nil {
		return err
	}
	return m.Prepend(e.File, u.fn.ID(u.starts[0].Lit), "defer close("+e.Expr+")")
}
