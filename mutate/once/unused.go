package once

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

// unused lists the edits that put a call under a sync.Once which the program
// declares and never uses, or under which others do the same.
func unused(w *mutate.Whole) []mutate.Edit {
	idle, known := idleOnces(w.Program), guardedOnces(w.Program)
	if len(idle)+len(known) == 0 {
		return nil
	}
	var out []mutate.Edit
	for _, fn := range w.Functions {
		for _, st := range fn.Statements() {
			call := repeatable(fn, st.Stmt)
			if call == nil {
				continue
			}
			for _, l := range within(fn, call, idle) {
				out = append(out, under(fn, st.Stmt, l, "nothing else uses "+l.Expr))
			}
			for _, l := range within(fn, call, companions(fn.File.Package.Info, call, known)) {
				out = append(out, under(fn, st.Stmt, l, "elsewhere "+l.Expr+" does this"))
			}
		}
	}
	return out
}

// under starts the edit that puts a call under a Once.
func under(fn *mutate.Function, s ast.Stmt, once analysis.Lock, note string) mutate.Edit {
	e := fn.NewEdit("once", s, s)
	e.Lock, e.Vars, e.Note = &once, nil, note
	return e
}

// idleOnces finds the variables of type sync.Once that nothing in the program
// uses. A field of a struct that is given its values in order counts as one.
func idleOnces(p *analysis.Program) map[*types.Var]bool {
	idle := make(map[*types.Var]bool)
	for _, pkg := range p.Packages {
		for _, obj := range pkg.Info.Defs {
			if v, ok := obj.(*types.Var); ok && (v.IsField() || v.Parent() == v.Pkg().Scope()) && isOnce(v.Type()) {
				idle[v] = true
			}
		}
	}
	if len(idle) == 0 {
		return nil
	}
	for _, pkg := range p.Packages {
		for _, obj := range pkg.Info.Uses {
			if v, ok := obj.(*types.Var); ok {
				delete(idle, v.Origin())
			}
		}
	}
	return idle
}

func isOnce(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && named.Obj().Name() == "Once"
}

// repeatable is the call that a statement consists of, if a Once can make it: of a
// function of the module or of a literal, without parameters and results.
func repeatable(fn *mutate.Function, s ast.Stmt) *ast.CallExpr {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(x.X).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return nil
	}
	info := fn.File.Package.Info
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || sig.Params().Len() > 0 || sig.Results().Len() > 0 {
		return nil
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		return call
	case *ast.Ident:
		if _, ok := info.Uses[f].(*types.Func); ok {
			return call
		}
	case *ast.SelectorExpr:
		m, ok := info.Uses[f.Sel].(*types.Func)
		if ok && slices.ContainsFunc(fn.Program.Packages, func(p *analysis.Package) bool { return p.Types == m.Pkg() }) {
			return call
		}
	}
	return nil
}

// within lists the idle Onces of what a call names, and of the package's variables
// for a function of the package.
func within(fn *mutate.Function, call *ast.CallExpr, idle map[*types.Var]bool) []analysis.Lock {
	info := fn.File.Package.Info
	var found []analysis.Lock
	add := func(l analysis.Lock) {
		if !slices.ContainsFunc(found, func(o analysis.Lock) bool { return o.Expr == l.Expr }) {
			found = append(found, l)
		}
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		scope := info.Uses[id].Pkg().Scope()
		for _, name := range scope.Names() {
			if v, ok := scope.Lookup(name).(*types.Var); ok && idle[v] {
				add(analysis.Lock{Expr: name, Key: v.Pkg().Path() + "." + name})
			}
		}
		return found
	}
	ast.Inspect(call.Fun, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		base, ok := info.Uses[id].(*types.Var)
		if !ok || base.IsField() || !outside(base, call) {
			return true
		}
		fields, owner := fieldsOf(base.Type())
		for _, v := range fields {
			if idle[v.Origin()] {
				add(analysis.Lock{Expr: id.Name + "." + v.Name(), Key: v.Pkg().Path() + "." + owner + v.Name()})
			}
		}
		return true
	})
	return found
}

// fieldsOf are the fields of a struct or of what a pointer to one leads to. owner is
// what stands before their names in a key: the type's name and a dot, if it has one.
func fieldsOf(t types.Type) (fields []*types.Var, owner string) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil, ""
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		owner = named.Obj().Name() + "."
	}
	return slices.Collect(s.Fields()), owner
}

// outside reports whether a variable is declared outside of a call.
func outside(v *types.Var, call *ast.CallExpr) bool {
	return v.Pos() == token.NoPos || v.Pos() < call.Pos() || v.Pos() >= call.End()
}

// perform replaces a call as a statement by what makes the Once do it.
func perform(m *mutate.Mutation, e mutate.Edit, s *dst.ExprStmt) error {
	call, ok := s.X.(*dst.CallExpr)
	if !ok || len(call.Args) > 0 {
		return mutate.Refuse(e, "another edit changed the call")
	}
	what := call.Fun
	call.Fun = dst.NewIdent("_") // a node has one place in a tree
	do := &dst.SelectorExpr{X: tree.Expr(e.Lock.Expr), Sel: dst.NewIdent("Do")}
	if err := m.Replace(e.File, s, &dst.ExprStmt{X: &dst.CallExpr{Fun: do, Args: []dst.Expr{what}}}); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	return nil
}
