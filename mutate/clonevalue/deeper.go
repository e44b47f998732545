package clonevalue

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// shallowCopies are plain copies of its receiver in a method that returns them: c := *n. They share the slices and
// maps that the method does not make anew.
func shallowCopies(fn *mutate.Function) (all []handout) {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		s, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 || !local(fn, s.Lhs[0]) {
			continue
		}
		named := structOf(info.TypeOf(s.Lhs[0]))
		from, ok := fn.Path(s.Rhs[0]).Root.(*types.Var)
		if !own(fn, named) || !ok || from.Kind() != types.RecvVar || fn.Path(s.Rhs[0]).Rest != "" || len(shared(fn, s, named)) == 0 || !returned(fn, s.Lhs[0]) {
			continue
		}
		all = append(all, handout{expr: s.Rhs[0], named: named, plain: true, stmt: s, form: deeper})
	}
	return all
}

// shared are the fields that a copy shares with the original: those with slices and maps that the function does not
// assign to.
func shared(fn *mutate.Function, copied *ast.AssignStmt, named *types.Named) (fields []*types.Var) {
	root := fn.Path(copied.Lhs[0]).Root
	b := &builder{of: named.Obj().Pkg()}
	for f := range named.Underlying().(*types.Struct).Fields() {
		assigned := slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
			return slices.ContainsFunc(syntax.Assigned(st.Stmt), func(lhs ast.Expr) bool {
				p := fn.Path(lhs)
				return p.Root == root && p.Rest == "."+f.Name()
			})
		})
		if f.Name() != "_" && !assigned && b.shares(f.Type(), 0) {
			fields = append(fields, f)
		}
	}
	return fields
}

// deepen copies what a plain copy shares, behind it.
func (h handout) deepen(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, v *value) error {
	s := h.stmt.(*ast.AssignStmt)
	b := &builder{m: m, file: e.File, of: v.named.Obj().Pkg()}
	for _, f := range shared(fn, s, v.named) {
		b.copies(types.ExprString(s.Lhs[0])+"."+f.Name(), f.Type(), 0)
	}
	if b.err != nil {
		return b.err
	}
	return m.InsertSnippet(e.File, m.Stmt(e.File, e.Other), true, b.text.String())
}
