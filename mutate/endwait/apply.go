package endwait

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/donefield"
)

// apply gives the type a group, counts its goroutines in it, and has the method wait.
func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such method")
	}
	w := waitOf(fn)
	if w == nil {
		return mutate.Refuse(e, "the method cannot wait for the goroutines of its value")
	}
	if err := w.declare(m, e); err != nil {
		return err
	}
	for _, g := range w.goroutines {
		if err := w.count(m, e, g); err != nil {
			return err
		}
	}
	return w.wait(m, e)
}

// declare gives the type the group.
func (w *wait) declare(m *mutate.Mutation, e mutate.Edit) error {
	st, ok := m.Of(w.file, w.fields).(*dst.StructType)
	if !ok || slices.ContainsFunc(st.Fields.List, func(f *dst.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *dst.Ident) bool { return id.Name == w.group })
	}) {
		return mutate.Refuse(e, "another edit changed the type")
	}
	qualifier, err := m.Import(w.file, "sync")
	if err != nil {
		return err
	}
	typ := "WaitGroup"
	if qualifier != "" {
		typ = qualifier + ".WaitGroup"
	}
	f := donefield.New(w.group, typ)
	f.Decs.End.Append("// goroutines that " + w.decl.Name.Name + " waits for")
	st.Fields.List = append(st.Fields.List, f)
	return nil
}

// count counts a goroutine in the group.
func (w *wait) count(m *mutate.Mutation, e mutate.Edit, g goroutine) error {
	start := m.StmtOf(g.from.File.Rel, g.start)
	if start == nil {
		return mutate.Refuse(e, "another edit removed a go statement")
	}
	if err := m.InsertSnippet(g.from.File.Rel, start, false, g.owner+"."+w.group+".Add(1)"); err != nil {
		return err
	}
	if w.counted(g) {
		return nil
	}
	return m.Prepend(g.to.File.Rel, g.to.ID(g.to.Node), "defer "+g.self+"."+w.group+".Done()")
}

// counted says whether what a goroutine runs says already that it ends: another go statement before runs it,
// too.
func (w *wait) counted(g goroutine) bool {
	for _, other := range w.goroutines {
		if other.start == g.start {
			return false
		}
		if other.to == g.to {
			return true
		}
	}
	return false
}

// wait has the method wait.
func (w *wait) wait(m *mutate.Mutation, e mutate.Edit) error {
	src := e.Expr + ".Wait() // " + e.Note
	first, last := w.fn.Body.List[0], w.fn.Body.List[len(w.fn.Body.List)-1]
	if e.Form == told {
		return m.InsertSnippet(e.File, m.StmtOf(e.File, w.toldAt()), true, src)
	}
	if w.form == around {
		s := w.heldToEnd()
		lock := types.ExprString(s.Expr)
		acquire, release := s.Methods()
		src = lock + "." + release + "()\n" + src + "\n" + lock + "." + acquire + "()"
		return m.InsertSnippet(e.File, m.StmtOf(e.File, last), false, src)
	}
	if w.form == deferred {
		return m.InsertSnippet(e.File, m.StmtOf(e.File, first), false, "defer "+src)
	}
	all, end := leaving(w.fn)
	var at []ast.Stmt
	for _, r := range all {
		at = append(at, r)
	}
	if end {
		at = append(at, last)
	}
	for _, s := range at {
		_, isReturn := s.(*ast.ReturnStmt)
		stmt := m.StmtOf(e.File, s)
		if stmt == nil {
			return mutate.Refuse(e, "another edit removed an exit")
		}
		if err := m.InsertSnippet(e.File, stmt, !isReturn, src); err != nil {
			return err
		}
	}
	return nil
}
