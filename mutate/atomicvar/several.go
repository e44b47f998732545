package atomicvar

import (
	"go/token"
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
)

// part gives the variable a field of its own instead of a name in one for several.
func (a *atomic) part(m *mutate.Mutation, e mutate.Edit, from *dst.Field, typ dst.Expr) error {
	list, ok := m.Of(a.file.Rel, a.list).(*dst.FieldList)
	if !ok {
		return mutate.Refuse(e, "another edit removed the declaration")
	}
	at, first := slices.Index(list.List, from), false
	if from.Names, first = without(from.Names, a.v.Name()); at < 0 {
		return mutate.Refuse(e, "another edit removed the declaration")
	}
	own := &dst.Field{Names: []*dst.Ident{dst.NewIdent(a.v.Name())}, Type: typ}
	beside(from.Decorations(), own.Decorations(), first)
	a.sayType(own.Decorations())
	if !first {
		at++
	}
	list.List = slices.Insert(list.List, at, own)
	return nil
}

// partSpec does the same to a variable of a var declaration.
func (a *atomic) partSpec(m *mutate.Mutation, e mutate.Edit, from *dst.ValueSpec, typ dst.Expr) error {
	decl, ok := m.Of(a.file.Rel, a.list).(*dst.GenDecl)
	if !ok {
		return mutate.Refuse(e, "another edit removed the declaration")
	}
	at := slices.Index(decl.Specs, dst.Spec(from))
	i := slices.IndexFunc(from.Names, func(id *dst.Ident) bool { return id.Name == a.v.Name() })
	if at < 0 || i < 0 {
		return mutate.Refuse(e, "another edit removed the declaration")
	}
	if len(from.Values) > 0 {
		from.Values = slices.Delete(slices.Clone(from.Values), i, i+1)
	}
	from.Names, _ = without(from.Names, a.v.Name())
	own := &dst.ValueSpec{Names: []*dst.Ident{dst.NewIdent(a.v.Name())}, Type: typ}
	beside(from.Decorations(), own.Decorations(), i == 0)
	if i > 0 {
		at++
	}
	decl.Specs = slices.Insert(decl.Specs, at, dst.Spec(own))
	decl.Lparen, decl.Rparen = true, true
	return nil
}

// partAssign declares the variable in front of the definition of others, or in
// the place of its own.
func (a *atomic) partAssign(m *mutate.Mutation, e mutate.Edit, from *dst.AssignStmt, typ dst.Expr) error {
	spec := &dst.ValueSpec{Names: []*dst.Ident{dst.NewIdent(a.v.Name())}, Type: typ}
	now := &dst.DeclStmt{Decl: &dst.GenDecl{Tok: token.VAR, Specs: []dst.Spec{spec}}}
	if len(from.Lhs) == 1 {
		return m.Replace(a.file.Rel, from, now)
	}
	i := slices.IndexFunc(from.Lhs, func(l dst.Expr) bool {
		id, ok := l.(*dst.Ident)
		return ok && id.Name == a.v.Name()
	})
	if i < 0 || len(from.Lhs) != len(from.Rhs) {
		return mutate.Refuse(e, "another edit changed the declaration")
	}
	from.Lhs = slices.Delete(slices.Clone(from.Lhs), i, i+1)
	from.Rhs = slices.Delete(slices.Clone(from.Rhs), i, i+1)
	return m.Insert(a.file.Rel, from, false, now)
}

// without takes a name from a list, and reports whether it was the first.
func without(names []*dst.Ident, name string) (left []*dst.Ident, first bool) {
	i := slices.IndexFunc(names, func(id *dst.Ident) bool { return id.Name == name })
	if i < 0 {
		return names, false
	}
	return slices.Delete(slices.Clone(names), i, i+1), i == 0
}

// beside lays out a declaration that is parted from another one: in front of it,
// where it takes over what stands above, or on the line behind.
func beside(from, own *dst.NodeDecs, front bool) {
	own.Before, own.After = dst.NewLine, dst.NewLine
	if front {
		own.Before, own.Start = max(from.Before, dst.NewLine), from.Start
		from.Before, from.Start = dst.NewLine, nil
		return
	}
	own.After = max(from.After, dst.NewLine)
	from.After = dst.NewLine
}
