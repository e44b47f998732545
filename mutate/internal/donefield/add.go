package donefield

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

// Add adds the channel to the struct, with what the comment says of it, and to the literals.
// It is false if another edit of the set has done so already.
func (f *Field) Add(m *mutate.Mutation, e mutate.Edit, comment string, beside ...*dst.Field) (added bool, err error) {
	return f.AddAs(m, e, "chan struct{}", "make(chan struct{})", comment, beside...)
}

// AddAs is Add for a channel of a type, and with a value in the literals, both given as text.
func (f *Field) AddAs(m *mutate.Mutation, e mutate.Edit, typ, value, comment string, beside ...*dst.Field) (added bool, err error) {
	st, ok := m.Of(f.file.Rel, f.fields).(*dst.StructType)
	if !ok {
		return false, mutate.Refuse(e, "another edit removed the type")
	}
	if slices.ContainsFunc(st.Fields.List, func(field *dst.Field) bool {
		return slices.ContainsFunc(field.Names, func(id *dst.Ident) bool { return id.Name == f.Name })
	}) {
		return false, nil
	}
	done := New(f.Name, typ)
	done.Decs.End.Append("// " + comment)
	st.Fields.List = append(append(st.Fields.List, done), beside...)
	for _, made := range f.made {
		if err := f.make(m, e, made, value); err != nil {
			return false, err
		}
	}
	return true, nil
}

// MadeIn reports whether all values of the type are made in some code.
func (f *Field) MadeIn(code ast.Node) bool {
	return !slices.ContainsFunc(f.made, func(m made) bool { return m.at.Pos() < code.Pos() || code.End() < m.at.End() })
}

// key gives the elements of a literal their keys, unless they have them.
func (f *Field) key(lit *dst.CompositeLit) {
	var names []string
	for _, field := range f.fields.Fields.List {
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
		if len(field.Names) == 0 {
			names = append(names, embedded(field.Type))
		}
	}
	for i, e := range lit.Elts {
		if _, keyed := e.(*dst.KeyValueExpr); keyed || i >= len(names) {
			continue
		}
		kv := &dst.KeyValueExpr{Key: dst.NewIdent(names[i]), Value: e}
		kv.Decs.NodeDecs, *e.Decorations() = *e.Decorations(), dst.NodeDecs{}
		lit.Elts[i] = kv
	}
}

// embedded is the name of an embedded field.
func embedded(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return embedded(t.X)
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.IndexExpr:
		return embedded(t.X)
	case *ast.IndexListExpr:
		return embedded(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// File is the module-relative name of the file that declares the struct.
func (f *Field) File() string { return f.file.Rel }

// New is a field on a line of its own, of a type that is given as text.
func New(name, typ string) *dst.Field {
	f := &dst.Field{Names: []*dst.Ident{dst.NewIdent(name)}, Type: tree.Expr(typ)}
	f.Decs.Before, f.Decs.After = dst.NewLine, dst.NewLine
	return f
}

// make adds the channel to a literal, on a line of its own if the others are. A literal without keys gets
// them: its list would have to go on with values for all that is new. A call of new becomes a literal.
func (f *Field) make(m *mutate.Mutation, e mutate.Edit, from made, value string) error {
	kv := &dst.KeyValueExpr{Key: dst.NewIdent(f.Name), Value: tree.Expr(value)}
	switch at := m.Of(from.file.Rel, from.at).(type) {
	case *dst.CompositeLit:
		f.key(at)
		if n := len(at.Elts); n > 0 {
			if last := at.Elts[n-1].Decorations(); last.After == dst.NewLine {
				kv.Decs.Before, kv.Decs.After = dst.NewLine, dst.NewLine
			}
		}
		at.Elts = append(at.Elts, kv)
		return nil
	case *dst.CallExpr:
		lit := &dst.CompositeLit{Type: dst.Clone(at.Args[0]).(dst.Expr), Elts: []dst.Expr{kv}}
		return m.Replace(from.file.Rel, at, &dst.UnaryExpr{Op: token.AND, X: lit})
	}
	return mutate.Refuse(e, "another edit removed a value of the type")
}
