package copyreused

import (
	"go/ast"
	"go/token"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/lending"
	"mendel/mutate/internal/tree"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	at, _ := m.Syntax(e.File, e.Node).(ast.Expr)
	for _, l := range mutate.Once(m, leaksKey{}, func() []*leak { return leaks(m.Program(), lending.Survey(m.Program())) }) {
		if !l.has(at) {
			continue
		}
		for _, p := range l.places {
			if err := p.copy(m, e); err != nil {
				return err
			}
		}
		return nil
	}
	return mutate.Refuse(e, "nothing is handed over here that is used again")
}

// copy puts a copy in the place of what is handed over.
func (p *place) copy(m *mutate.Mutation, e mutate.Edit) error {
	old, ok := m.Of(p.file.Rel, p.expr).(dst.Expr)
	commented := m.Of(p.file.Rel, p.commented)
	if !ok || commented == nil {
		return mutate.Refuse(e, "another edit removed what is handed over")
	}
	if p.pkg == "" {
		return p.variable(m, e, old)
	}
	fun, err := clone(m, e, p.file.Rel, p.pkg)
	if err != nil {
		return err
	}
	call := &dst.CallExpr{Fun: fun, Args: []dst.Expr{old}}
	if err := m.Replace(p.file.Rel, old, call); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	commented.Decorations().Start.Append("// " + p.note())
	return nil
}

// clone is the function Clone of a package, as a file calls it.
func clone(m *mutate.Mutation, e mutate.Edit, file, pkg string) (dst.Expr, error) {
	name, err := m.Import(file, pkg)
	switch {
	case err != nil:
		return nil, mutate.Refuse(e, "%v", err)
	case name == "":
		return dst.NewIdent("Clone"), nil
	}
	return &dst.SelectorExpr{X: dst.NewIdent(name), Sel: dst.NewIdent("Clone")}, nil
}

// variable puts a new variable, which has a copy of the struct, or its address in the place of what
// is handed over.
func (p *place) variable(m *mutate.Mutation, e mutate.Edit, old dst.Expr) error {
	stmt := m.StmtOf(p.file.Rel, p.stmt)
	if stmt == nil {
		return mutate.Refuse(e, "another edit removed what is handed over")
	}
	now := p.fresh
	if p.address {
		now = "&" + now
	}
	if err := m.Replace(p.file.Rel, old, tree.Expr(now)); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	if err := m.InsertSnippet(p.file.Rel, stmt, false, "// "+p.note()+"\n"+p.fresh+" := *"+p.lender.Var.Name()); err != nil {
		return err
	}
	for _, f := range p.fields {
		fun, err := clone(m, e, p.file.Rel, f.pkg)
		if err != nil {
			return err
		}
		field := func() dst.Expr { return tree.Expr(p.fresh + "." + f.name) }
		set := &dst.AssignStmt{
			Lhs: []dst.Expr{field()}, Tok: token.ASSIGN,
			Rhs: []dst.Expr{&dst.CallExpr{Fun: fun, Args: []dst.Expr{field()}}},
		}
		if err := m.Insert(p.file.Rel, stmt, false, set); err != nil {
			return err
		}
	}
	return nil
}
