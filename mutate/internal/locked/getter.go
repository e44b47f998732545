package locked

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

// A getter is what a method gives that does nothing but read a field of its receiver under the lock.
type getter struct {
	receiver string
	field    ast.Expr // as the method writes it: r.n, len(r.list)
}

// getter is what the function reads, if it is a method that does nothing else and gives no memory that others change.
func (f *Function) getter() (g getter, ok bool) {
	d := f.decl
	if f.exists || f.Section == nil || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 || len(f.Section.Body) != 1 {
		return g, false
	}
	ret, ok := f.Section.Body[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return g, false
	}
	info, read := f.File.Package.Info, ast.Unparen(ret.Results[0])
	if !mereValue(info.TypeOf(read)) {
		return g, false
	}
	g = getter{receiver: d.Recv.List[0].Names[0].Name, field: read}
	if call, isCall := read.(*ast.CallExpr); isCall {
		if b := syntax.Builtin(info, call); b != "len" && b != "cap" && !info.Types[call.Fun].IsType() {
			return g, false
		}
		read = ast.Unparen(call.Args[0])
	}
	_, selects := read.(*ast.SelectorExpr)
	root := f.Path(read).Root
	return g, selects && root != nil && root == info.Defs[d.Recv.List[0].Names[0]]
}

// mereValue reports whether values of a type lead nowhere: numbers, texts, times.
func mereValue(t types.Type) bool {
	if t == nil {
		return false
	}
	_, basic := t.Underlying().(*types.Basic)
	return basic || types.TypeString(t, nil) == "time.Time"
}

// readDirectly reads the field in place of calls in the edit's file.
func readDirectly(m *mutate.Mutation, e mutate.Edit, g getter, calls []*ast.CallExpr) error {
	for _, call := range calls {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return mutate.Refuse(e, "the call names no method")
		}
		if err := m.Replace(e.File, m.Of(e.File, call), tree.Expr(types.ExprString(g.of(sel.X)))); err != nil {
			return err
		}
	}
	return nil
}

// of is the field as it is read of another value.
func (g getter) of(value ast.Expr) ast.Expr {
	switch e := g.field.(type) {
	case *ast.CallExpr:
		return &ast.CallExpr{Fun: e.Fun, Args: []ast.Expr{getter{g.receiver, ast.Unparen(e.Args[0])}.of(value)}}
	case *ast.SelectorExpr:
		return &ast.SelectorExpr{X: getter{g.receiver, ast.Unparen(e.X)}.of(value), Sel: e.Sel}
	case *ast.Ident:
		if e.Name == g.receiver {
			return value
		}
	}
	return g.field
}
