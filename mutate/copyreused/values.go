package copyreused

import (
	"go/ast"
	"go/types"
	"strconv"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/lending"
)

// A fieldCopy is a field of a copied struct that is to be copied, too.
type fieldCopy struct {
	name string
	pkg  string // whose Clone does it
}

// value is the lender of *e, a struct; nil: it is nobody's.
func (f *finder) value(e ast.Expr) *lending.Lender {
	star, ok := ast.Unparen(e).(*ast.StarExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(star.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := f.Info.Uses[id].(*types.Var)
	return f.Lenders[v]
}

// byValue plans a variable with a copy of the struct that is handed over, by value or by pointer.
// A value without references is one already.
func (f *finder) byValue(p *place) bool {
	e := ast.Unparen(p.expr)
	star, byValue := e.(*ast.StarExpr)
	if byValue {
		e = star.X
	}
	if !syntax.Is(f.Info, e, p.lender.Var) {
		return false
	}
	t, ok := f.Info.TypeOf(e).Underlying().(*types.Pointer)
	if !ok || analysis.HoldsLock(t.Elem()) {
		return false
	}
	s, ok := t.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		pkg, ok := copies(field.Type())
		if !ok || pkg != "" && !field.Exported() && field.Pkg() != f.File.Package.Types {
			return false
		}
		if pkg != "" {
			p.fields = append(p.fields, fieldCopy{field.Name(), pkg})
		}
	}
	p.address = !byValue
	p.fresh = f.freeName("own")
	return p.address || len(p.fields) > 0
}

// copies is the package that copies the values of a field's type, "" if assigning one does; ok is
// false if neither does.
func copies(t types.Type) (pkg string, ok bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return "", true
	case *types.Array:
		return "", plain(u.Elem())
	case *types.Struct:
		return "", types.TypeString(t, nil) == "time.Time"
	case *types.Slice:
		return "slices", plain(u.Elem())
	case *types.Map:
		return "maps", plain(u.Key()) && plain(u.Elem())
	}
	return "", false
}

func plain(t types.Type) bool {
	_, is := t.Underlying().(*types.Basic)
	return is
}

// freeName is a name that the function does not use.
func (f *finder) freeName(name string) string {
	used := make(map[string]bool)
	for n := range ast.Preorder(f.Decl) {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
	}
	free := name
	for i := 2; used[free] || f.taken[free] || f.File.Package.Types.Scope().Lookup(free) != nil; i++ {
		free = name + strconv.Itoa(i)
	}
	f.taken[free] = true
	return free
}
