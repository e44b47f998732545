package addbeforego

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/waitgroups"
)

// requeued lists the edits of a function that is done with a value of a queue, and sends it
// there again: the group of the queue counts values, and so this one once more.
func requeued(fn *mutate.Function) (edits []mutate.Edit) {
	done := waitgroups.DoneIn(fn, fn.Body)
	if len(done) == 0 {
		return nil
	}
	syntax.Walk(fn.Body, func(n ast.Node, _ []ast.Node) {
		send, ok := n.(*ast.SendStmt)
		if !ok {
			return
		}
		c := fn.Channel(send.Chan)
		group := waitgroups.CountsItems(fn, c)
		at := mutate.Innermost(fn.Statements(), send)
		if _, selects := at.Stmt.(*ast.SelectStmt); selects || at.Stmt == nil || !slices.ContainsFunc(done, func(p mutate.Path) bool { return p.String() == group }) {
			return
		}
		if adds(fn, group) || !countedElsewhere(fn, c) || !doneToo(fn, group, at) {
			return
		}
		e := fn.NewEdit("addbeforego", at.Stmt, at.Stmt)
		e.Form, e.Expr, e.Group = requeue, group+".Add(1)", waitgroups.Group(&e)
		e.Note = "it is counted again: Done is called for this turn"
		e.Heat = max(e.Heat, waitgroups.Hottest(fn))
		edits = append(edits, e)
	})
	return edits
}

// adds reports whether a function, or a literal in it, calls Add of a group.
func adds(fn *mutate.Function, group string) bool {
	return slices.ContainsFunc(fn.OfPackage(), func(g *mutate.Function) bool {
		return g.File == fn.File && syntax.Within(g.Node, fn.Node) && slices.ContainsFunc(waitgroups.Calls(g), func(c waitgroups.Call) bool {
			return c.Method == "Add" && c.Text == group
		})
	})
}

// countedElsewhere reports whether another function that sends on a channel calls Add of
// the group that counts its values.
func countedElsewhere(fn *mutate.Function, c *mutate.Channel) bool {
	return slices.ContainsFunc(c.Sends, func(u mutate.ChannelUse) bool {
		if u.Fn == nil || syntax.Within(u.Fn.Node, fn.Node) {
			return false
		}
		group := waitgroups.CountsItems(u.Fn, c)
		return group != "" && adds(u.Fn, group)
	})
}

// doneToo reports whether Done is called on the way through a statement: deferred, before
// it in a list around, or behind it where nothing leads away first.
func doneToo(fn *mutate.Function, group string, at mutate.Statement) bool {
	last := at.List[len(at.List)-1]
	_, branches := last.(*ast.BranchStmt)
	leaves := at.Index+1 < len(at.List) && (branches || exits.Terminates(fn, last))
	return slices.ContainsFunc(waitgroups.Calls(fn), func(c waitgroups.Call) bool {
		if c.Method != "Done" || c.Text != group {
			return false
		}
		around := c.At.Owner.Pos() <= at.Stmt.Pos() && at.Stmt.End() <= c.At.Owner.End()
		return c.Deferred() || around && (c.At.Stmt.Pos() < at.Stmt.Pos() || !leaves || c.At.Owner == at.Owner)
	})
}
