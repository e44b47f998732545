package putlater

import (
	"go/ast"

	"github.com/dave/dst"

	"mendel/mutate"
)

// make makes the edit.
func (p *plan) make(m *mutate.Mutation, e mutate.Edit) error {
	file := p.fn.File.Rel
	stmt := m.StmtOf(file, p.gift.stmt)
	call, ok := m.Of(file, p.gift.call).(*dst.CallExpr)
	if stmt == nil || !ok {
		return mutate.Refuse(e, "another edit removed what gives it back")
	}
	call = dst.Clone(call).(*dst.CallExpr)
	if p.form == behind && p.last == nil {
		deferred := &dst.DeferStmt{Call: call}
		if err := m.Replace(file, stmt, deferred); err != nil {
			return mutate.Refuse(e, "%v", err)
		}
		deferred.Decs.Start.Append("// " + e.Note)
		return nil
	}
	if err := m.Remove(file, stmt); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	var now dst.Stmt = &dst.ExprStmt{X: call}
	switch p.form {
	case behind:
		return p.insert(m, e, file, p.last, true, now)
	case goroutine:
		return p.insert(m, e, file, p.to.Body.List[0], false, &dst.DeferStmt{Call: call})
	}
	rename(call, p.from, p.name)
	list := p.loop.Body.List
	return p.insert(m, e, p.receiver.File.Rel, list[len(list)-1], true, now)
}

func (p *plan) insert(m *mutate.Mutation, e mutate.Edit, file string, beside ast.Stmt, after bool, now dst.Stmt) error {
	anchor := m.StmtOf(file, beside)
	if anchor == nil {
		return mutate.Refuse(e, "another edit removed the last user")
	}
	now.Decorations().Start.Append("// " + e.Note)
	return m.Insert(file, anchor, after, now)
}

// rename gives a variable another name in a call.
func rename(call *dst.CallExpr, from, to string) {
	dst.Inspect(call, func(n dst.Node) bool {
		if sel, ok := n.(*dst.SelectorExpr); ok {
			if id, ok := sel.X.(*dst.Ident); ok && id.Name == from {
				id.Name = to
			}
			return true
		}
		return true
	})
	for _, arg := range call.Args {
		if id, ok := arg.(*dst.Ident); ok && id.Name == from {
			id.Name = to
		}
	}
}
