package capture

import (
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
)

// TakesParameters reports whether a parameter can be added to the literal, and
// an argument to its call.
func (s *Start) TakesParameters() bool {
	if s.Go == nil || s.Go.Call.Ellipsis.IsValid() {
		return false
	}
	for _, p := range s.Lit.Type.Params.List {
		if len(p.Names) == 0 {
			return false
		}
	}
	return true
}

// Pass adds the parameters and arguments of the call of an empty literal to
// those of the go statement that an edit is for, and its note above.
func Pass(m *mutate.Mutation, e mutate.Edit, more *dst.CallExpr) error {
	g, ok := m.Node(e.File, e.Node).(*dst.GoStmt)
	if !ok {
		return mutate.Refuse(e, "there is no go statement")
	}
	lit, ok := g.Call.Fun.(*dst.FuncLit)
	added, isLit := more.Fun.(*dst.FuncLit)
	if !ok || !isLit {
		return mutate.Refuse(e, "there is no function literal")
	}
	for _, p := range added.Type.Params.List {
		for _, name := range p.Names {
			if slices.ContainsFunc(lit.Type.Params.List, func(have *dst.Field) bool { return names(have, name.Name) }) {
				return mutate.Refuse(e, "%s is a parameter already", name.Name)
			}
		}
		lit.Type.Params.List = append(lit.Type.Params.List, p)
	}
	g.Call.Args = append(g.Call.Args, more.Args...)
	g.Decs.Start.Append("// " + e.Note)
	return nil
}

// names reports whether a parameter has a name.
func names(p *dst.Field, name string) bool {
	return slices.ContainsFunc(p.Names, func(id *dst.Ident) bool { return id.Name == name })
}
