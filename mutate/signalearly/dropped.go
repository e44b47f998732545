package signalearly

import (
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/tree"
	"mendel/mutate/internal/waitgroups"
)

// dropped lists the edits of a function that throws away what a wait group counts, or what
// somebody waits to see answered: values that it receives and does nothing with, and those
// that it has counted and does not send.
func dropped(fn *mutate.Function) (out []mutate.Edit) {
	for _, st := range fn.Statements() {
		if n, ch := discards(fn, st); n != nil {
			if group := waitgroups.CountsItems(fn, fn.Channel(ch)); group != "" && !doneIn(fn, group, n) {
				out = append(out, drop(fn, n, group+".Done()"))
			}
			if e, ok := unanswered(fn, n, ch); ok {
				out = append(out, e)
			}
		}
		if sel, ok := st.Stmt.(*ast.SelectStmt); ok {
			out = append(append(out, unsent(fn, sel)...), unfinished(fn, sel)...)
		}
	}
	return out
}

// drop is the edit that calls Done, or what calls it, for a value which is dropped at a node.
func drop(fn *mutate.Function, at ast.Node, call string) mutate.Edit {
	e := fn.NewEdit("signalearly", at)
	e.Form, e.Expr, e.Group = formDrop, call, "dropped "+call
	e.Heat = syncops.WaitHeat(fn, e.Heat)
	return e
}

// doneIn reports whether Done of a group is called in a loop or case.
func doneIn(fn *mutate.Function, group string, n ast.Node) bool {
	list := []ast.Stmt{}
	switch n := n.(type) {
	case *ast.CommClause:
		list = n.Body
	case ast.Stmt:
		st := mutate.Innermost(fn.Statements(), n)
		list = append(list, n)
		if _, loop := n.(*ast.RangeStmt); !loop {
			list = st.List // right behind the receive
		}
	}
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		return slices.ContainsFunc(waitgroups.DoneIn(fn, s), func(p mutate.Path) bool { return p.String() == group })
	})
}

// discards is the loop, case or statement in which a statement receives values that nothing
// is done with, and the channel; nil if it is none.
func discards(fn *mutate.Function, st mutate.Statement) (n ast.Node, ch ast.Expr) {
	switch s := st.Stmt.(type) {
	case *ast.RangeStmt:
		if syncops.IsChan(fn, s.X) && unused(fn, s.Key, s.Body.List) {
			return s, s.X
		}
	case *ast.ExprStmt:
		if op, ok := syncops.Of(fn, s); ok && op.Kind == syncops.Receive {
			return s, op.On
		}
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			clause := c.(*ast.CommClause)
			op, ok := syncops.Of(fn, clause.Comm)
			if !ok || op.Kind != syncops.Receive {
				continue
			}
			var value ast.Expr
			if a, ok := clause.Comm.(*ast.AssignStmt); ok {
				if len(a.Lhs) > 1 { // it may be the end
					continue
				}
				value = a.Lhs[0]
			}
			if unused(fn, value, clause.Body) {
				return clause, op.On
			}
		}
	}
	return nil, nil
}

// unused reports whether statements do nothing with a value but tell the library of it.
func unused(fn *mutate.Function, value ast.Expr, list []ast.Stmt) bool {
	id, ok := value.(*ast.Ident)
	if value == nil || ok && id.Name == "_" {
		return true
	}
	info := fn.File.Package.Info
	if !ok || info.Defs[id] == nil {
		return false
	}
	used := false
	for _, s := range list {
		syntax.Walk(s, func(n ast.Node, path []ast.Node) {
			if e, ok := n.(*ast.Ident); ok && info.Uses[e] == info.Defs[id] {
				used = used || !slices.ContainsFunc(path, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return false
					}
					f := syntax.Callee(info, call.Fun)
					return f != nil && f.Pkg() != fn.File.Package.Types
				})
			}
		})
	}
	return !used
}

// unsent lists the edits of a select's other cases where a function has counted a value
// before it offers to send it.
func unsent(fn *mutate.Function, sel *ast.SelectStmt) (out []mutate.Edit) {
	for _, c := range sel.Body.List {
		send, ok := c.(*ast.CommClause).Comm.(*ast.SendStmt)
		if !ok {
			continue
		}
		group := waitgroups.CountsItems(fn, fn.Channel(send.Chan))
		if group == "" || !counted(fn, group, sel) {
			continue
		}
		for _, other := range sel.Body.List {
			clause := other.(*ast.CommClause)
			if _, sends := clause.Comm.(*ast.SendStmt); !sends && !doneIn(fn, group, clause) && leavesWith(fn, sel, clause) {
				out = append(out, drop(fn, clause, group+".Done()"))
			}
		}
	}
	return out
}

// counted reports whether Add of a group is called before a statement, in a list around it.
func counted(fn *mutate.Function, group string, s ast.Stmt) bool {
	return slices.ContainsFunc(waitgroups.Calls(fn), func(c waitgroups.Call) bool {
		return c.Method == "Add" && c.Text == group && c.Alone() && c.At.Stmt.Pos() < s.Pos() && c.At.Owner.Pos() <= s.Pos() && s.End() <= c.At.Owner.End()
	})
}

// leavesWith reports whether a value that a case does not send is not tried again: the
// select is in no loop, but one that has the Add in it, too, or the case leaves.
func leavesWith(fn *mutate.Function, sel *ast.SelectStmt, clause *ast.CommClause) bool {
	return !fn.Loops(sel) || len(clause.Body) > 0 && exits.Terminates(fn, clause.Body[len(clause.Body)-1])
}

// applyDrop calls Done at the end of a loop's turn, at the beginning of a case, or behind
// a receive.
func applyDrop(m *mutate.Mutation, e mutate.Edit) error {
	var list *[]dst.Stmt
	first := false
	switch n := m.Node(e.File, e.Node).(type) {
	case *dst.RangeStmt:
		list = &n.Body.List
	case *dst.CommClause:
		list, first = &n.Body, true
	case *dst.ExprStmt:
		return m.InsertSnippet(e.File, n, true, e.Expr)
	default:
		return mutate.Refuse(e, "another edit removed what drops the value")
	}
	if len(*list) > 0 {
		anchor := (*list)[0]
		if !first {
			anchor = (*list)[len(*list)-1]
		}
		return m.InsertSnippet(e.File, anchor, !first, e.Expr)
	}
	stmts, err := tree.Snippet(e.Expr)
	if err != nil {
		return err
	}
	stmts[0].Decorations().Before, stmts[0].Decorations().After = dst.NewLine, dst.NewLine
	*list = stmts
	return nil
}
