package closedone

import (
	"go/ast"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/donefield"
	"mendel/mutate/internal/tree"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no operation at a channel")
	}
	var base ast.Expr
	var at chanwait.Op
	for _, op := range chanwait.Ops(fn) {
		if fn.ID(op.At) == e.Node {
			base, at = owner(fn, op), op
		}
	}
	if base == nil {
		return mutate.Refuse(e, "there is no field that is sent to or received from")
	}
	if c, ok := closableOf(fn, base); ok {
		if err := c.declare(m, e); err != nil {
			return err
		}
	} else if d, ok := endedOf(fn, at, base); ok {
		if _, err := d.AddAs(m, e, "<-chan struct{}", d.context+".Done()", "closed when those who receive end"); err != nil {
			return err
		}
	} else {
		return mutate.Refuse(e, "the type cannot get a channel that says that it is closed")
	}
	return chanwait.Wrap(m, e, chanwait.End{Expr: e.Expr}, e.Form)
}

// declare adds the channel, where it is made and where it is closed. Another
// edit of the set may have done so already.
func (c *closable) declare(m *mutate.Mutation, e mutate.Edit) error {
	qualifier, err := m.Import(c.File(), "sync")
	if err != nil {
		return err
	}
	once := "Once"
	if qualifier != "" {
		once = qualifier + ".Once"
	}
	added, err := c.Add(m, e, "closed by "+c.method.Name.Name, donefield.New(c.Name+"Once", once))
	if !added {
		return err
	}
	return c.close(m, e)
}

// close closes the channel first of all: who sends may hold what the method waits for.
func (c *closable) close(m *mutate.Mutation, e mutate.Edit) error {
	decl, ok := m.Of(c.in.Rel, c.method).(*dst.FuncDecl)
	if !ok || decl.Body == nil {
		return mutate.Refuse(e, "another edit removed %s", c.method.Name.Name)
	}
	done := c.method.Recv.List[0].Names[0].Name + "." + c.Name
	src := done + "Once.Do(func() { close(" + done + ") })"
	if len(decl.Body.List) > 0 {
		return m.InsertSnippet(c.in.Rel, decl.Body.List[0], false, src)
	}
	stmts, err := tree.Snippet(src)
	if err != nil {
		return err
	}
	for _, s := range stmts {
		s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	}
	decl.Body.List = stmts
	return nil
}
