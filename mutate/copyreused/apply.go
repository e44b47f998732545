package copyreused

import (
	"go/ast"

	"github.com/dave/dst"

	"mendel/mutate"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	at, _ := m.Syntax(e.File, e.Node).(ast.Expr)
	for _, l := range mutate.Once(m, leaksKey{}, func() []*leak { return leaks(m.Program()) }) {
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
	var fun dst.Expr = dst.NewIdent("Clone")
	name, err := m.Import(p.file.Rel, p.pkg)
	if err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	if name != "" {
		fun = &dst.SelectorExpr{X: dst.NewIdent(name), Sel: dst.NewIdent("Clone")}
	}
	call := &dst.CallExpr{Fun: fun, Args: []dst.Expr{old}}
	if err := m.Replace(p.file.Rel, old, call); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	commented.Decorations().Start.Append("// " + p.note())
	return nil
}

// variable puts the address of a new variable, which has the value, in the place of a pointer.
func (p *place) variable(m *mutate.Mutation, e mutate.Edit, old dst.Expr) error {
	stmt := m.StmtOf(p.file.Rel, p.stmt)
	if stmt == nil {
		return mutate.Refuse(e, "another edit removed what is handed over")
	}
	if err := m.Replace(p.file.Rel, old, mutate.SnippetExpr("&"+p.fresh)); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	return m.InsertSnippet(p.file.Rel, stmt, false, "// "+p.note()+"\n"+p.fresh+" := *"+p.lender.Var.Name())
}
