package closedone

import (
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	at, ok := m.Syntax(e.File, e.Node).(*ast.SendStmt)
	if fn == nil || !ok {
		return mutate.Refuse(e, "there is no send")
	}
	sel, ok := ast.Unparen(at.Chan).(*ast.SelectorExpr)
	if !ok {
		return mutate.Refuse(e, "there is no field to send to")
	}
	c, ok := closableOf(fn, sel.X)
	if !ok {
		return mutate.Refuse(e, "the type cannot get a channel that says that it is closed")
	}
	if err := c.declare(m, e); err != nil {
		return err
	}
	return chanwait.Wrap(m, e, chanwait.End{Expr: e.Expr}, e.Form)
}

// declare adds the channel, where it is made and where it is closed. Another
// edit of the set may have done so already.
func (c *closable) declare(m *mutate.Mutation, e mutate.Edit) error {
	st, ok := m.Of(c.file.Rel, c.fields).(*dst.StructType)
	if !ok {
		return mutate.Refuse(e, "another edit removed the type")
	}
	if slices.ContainsFunc(st.Fields.List, func(f *dst.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *dst.Ident) bool { return id.Name == c.name })
	}) {
		return nil
	}
	done := field(c.name, mutate.SnippetExpr("chan struct{}"))
	done.Decs.End.Append("// closed by " + c.method.Name.Name)
	qualifier, err := m.Import(c.file.Rel, "sync")
	if err != nil {
		return err
	}
	once := "Once"
	if qualifier != "" {
		once = qualifier + ".Once"
	}
	st.Fields.List = append(st.Fields.List, done, field(c.name+"Once", mutate.SnippetExpr(once)))
	for _, made := range c.made {
		if err := c.make(m, e, made); err != nil {
			return err
		}
	}
	return c.close(m, e)
}

func field(name string, typ dst.Expr) *dst.Field {
	f := &dst.Field{Names: []*dst.Ident{dst.NewIdent(name)}, Type: typ}
	f.Decs.Before, f.Decs.After = dst.NewLine, dst.NewLine
	return f
}

// make adds the channel to a literal, on a line of its own if the others are.
func (c *closable) make(m *mutate.Mutation, e mutate.Edit, from made) error {
	lit, ok := m.Of(from.file.Rel, from.lit).(*dst.CompositeLit)
	if !ok {
		return mutate.Refuse(e, "another edit removed a value of the type")
	}
	kv := &dst.KeyValueExpr{Key: dst.NewIdent(c.name), Value: mutate.SnippetExpr("make(chan struct{})")}
	if n := len(lit.Elts); n > 0 {
		if last := lit.Elts[n-1].Decorations(); last.After == dst.NewLine {
			kv.Decs.Before, kv.Decs.After = dst.NewLine, dst.NewLine
		}
	}
	lit.Elts = append(lit.Elts, kv)
	return nil
}

// close closes the channel first of all: who sends may hold what the method waits for.
func (c *closable) close(m *mutate.Mutation, e mutate.Edit) error {
	decl, ok := m.Of(c.in.Rel, c.method).(*dst.FuncDecl)
	if !ok || decl.Body == nil {
		return mutate.Refuse(e, "another edit removed %s", c.method.Name.Name)
	}
	done := c.method.Recv.List[0].Names[0].Name + "." + c.name
	src := done + "Once.Do(func() { close(" + done + ") })"
	if len(decl.Body.List) > 0 {
		return m.InsertSnippet(c.in.Rel, decl.Body.List[0], false, src)
	}
	stmts, err := mutate.Snippet(src)
	if err != nil {
		return err
	}
	for _, s := range stmts {
		s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	}
	decl.Body.List = stmts
	return nil
}
