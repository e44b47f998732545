package closeguard

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
)

// countedParts are the edits for a channel whose sends wait under the lock that its closes need: each send leaves
// the lock, and counts itself before in a new wait group; each close waits for those, in a goroutine of its own.
// nil: some use does not ask whether the channel is closed, or cannot leave the lock.
func countedParts(w *mutate.Whole, c *mutate.Channel) (parts []mutate.Edit) {
	all := passagesOf(c)
	if common(all) == nil || remade(all[0]) {
		return nil
	}
	key := sameLock(all)
	if key == "" {
		return nil
	}
	for _, p := range all {
		if p.closes() {
			e, ok := p.later()
			if !ok {
				return nil
			}
			parts = append(parts, e)
		} else if p.use.Select == nil || !syntax.HasDefault(p.use.Select) {
			counted := p.counted(w, key)
			if counted == nil {
				return nil
			}
			parts = append(parts, counted...)
		}
	}
	return parts
}

// sameLock is the lock that all passages hold where they send or close; "": there is none.
func sameLock(all []passage) string {
	for _, l := range all[0].use.Fn.HeldAt(all[0].use.Stmt) {
		if !slices.ContainsFunc(all, func(p passage) bool { return !held.Holds(p.use.Fn, p.use.Stmt, l.Key) }) {
			return l.Key
		}
	}
	return ""
}

// remade says whether the field of a passage's channel gets another channel in a value that others may have: what is closed
// later would be the wrong one.
func remade(p passage) bool {
	field := fieldOf(p)
	return slices.ContainsFunc(p.use.Fn.OfPackage(), func(fn *mutate.Function) bool {
		return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
			return slices.ContainsFunc(syntax.Assigned(st.Stmt), func(lhs ast.Expr) bool {
				sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
				return ok && fn.File.Package.Info.Uses[sel.Sel] == field && !fn.Fresh(lhs)
			})
		})
	})
}

// senders is the wait group that counts those who send.
func (p passage) senders() (l analysis.Lock, ok bool) {
	field := fieldOf(p).(*types.Var)
	return p.use.Fn.Program.NewValue(p.use.Fn.File, p.at.Stmt, analysis.Access{Var: field, Expr: p.sel}, "sync.WaitGroup", field.Name()+"Senders", "Senders")
}

// later is the edit of a close.
func (p passage) later() (e mutate.Edit, ok bool) {
	l, ok := p.senders()
	if _, plain := p.use.Stmt.(*ast.ExprStmt); !ok || !plain {
		return e, false
	}
	e = p.use.Fn.NewEdit("closeguard", p.use.Stmt, p.use.Stmt)
	e.Form, e.Lock, e.Expr, e.Sure = formLater, &l, types.ExprString(p.sel), true
	e.Note = "not before those who are sending have done so"
	return e, true
}

// counted are the edits of a send: one that counts it, behind the statement before it, and one that lets it leave the lock.
func (p passage) counted(w *mutate.Whole, key string) []mutate.Edit {
	fn := p.use.Fn
	var send ast.Stmt = p.use.Stmt
	if p.use.Select != nil {
		send = p.use.Select
	}
	i := slices.IndexFunc(fn.Statements(), func(st mutate.Statement) bool { return st.Stmt == send })
	if i < 0 {
		return nil
	}
	at := fn.Statements()[i]
	l, ok := p.senders()
	if !ok || at.Index == 0 || !held.Holds(fn, at.List[at.Index-1], key) {
		return nil
	}
	out, ok := leaves(w, fn, at, key)
	if !ok {
		return nil
	}
	e := fn.NewEdit("closeguard", at.List[at.Index-1], send)
	e.Form, e.Lock, e.Sure = formCounted, &l, true
	if !slices.Contains(fn.Body.List, send) { // it may be in a loop: a defer would count too long
		if len(exits.Of(fn, send)) > 0 {
			return nil
		}
		e.Other = fn.ID(send)
	}
	return []mutate.Edit{e, out}
}

// leaves is an edit by which a send leaves the section of a lock: to its end, or for a while.
func leaves(w *mutate.Whole, fn *mutate.Function, send mutate.Statement, key string) (e mutate.Edit, ok bool) {
	usable := func(e *mutate.Edit) bool {
		return e.File == fn.File.Rel && e.Lock != nil && e.Lock.Key == key && len(e.Flags) == 0
	}
	for _, e := range w.EditsOf("shrinkend") {
		if !usable(&e) || e.Form == "branch" {
			continue
		}
		for _, s := range fn.Sections() {
			if n := len(s.Body) - e.Count; fn.ID(s.Acquire) == e.Node && n >= 0 && s.Body[n] == send.Stmt {
				return e, true
			}
		}
	}
	for _, e := range w.EditsOf("releasearound") {
		if usable(&e) && e.Node == fn.ID(send.Stmt) {
			return e, true
		}
	}
	return e, false
}

// applyCounted counts a send in the wait group.
func applyCounted(m *mutate.Mutation, e mutate.Edit, before dst.Stmt) error {
	text := e.Lock.Expr + ".Add(1)"
	if e.Other == 0 {
		text += "\ndefer " + e.Lock.Expr + ".Done()"
	} else if send := m.Stmt(e.File, e.Other); send == nil {
		return mutate.Refuse(e, "another edit removed the send")
	} else if err := m.InsertSnippet(e.File, send, true, e.Lock.Expr+".Done()"); err != nil {
		return err
	}
	return m.InsertSnippet(e.File, before, true, text)
}
