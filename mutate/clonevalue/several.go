package clonevalue

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/tree"
)

// several are what a return gives away beside plain pointers: lists and maps of an owner's values or pointers to
// them, copies of such that are not deep, and all results of a helper.
func several(fn *mutate.Function, s *ast.ReturnStmt) (all []handout) {
	info := fn.File.Package.Info
	for _, e := range s.Results {
		t := info.TypeOf(e)
		if tuple, ok := t.(*types.Tuple); ok {
			call, isCall := ast.Unparen(e).(*ast.CallExpr)
			if named, plain := structIn(tuple.At(0).Type()); isCall && own(fn, named) && ofHelper(fn, call) {
				all = append(all, handout{expr: e, named: named, plain: plain, stmt: s, form: called})
			}
			continue
		}
		all = append(all, list(fn, s, e)...)
	}
	return all
}

// list is the list or map of an owner's values, or of pointers to them, that a statement gives away by an expression.
func list(fn *mutate.Function, s ast.Stmt, e ast.Expr) []handout {
	named, plain := structIn(element(fn.File.Package.Info.TypeOf(e)))
	if !own(fn, named) {
		return nil
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); !ownedList(fn, e) && (!ok || readBy(fn, id) == nil) {
		return nil
	}
	return []handout{{expr: e, named: named, plain: plain, stmt: s, form: listed}}
}

// inLiterals are the lists and maps of an owner's values, or of pointers to them, that a method which copies its receiver
// puts into a literal of its type.
func inLiterals(fn *mutate.Function, s ast.Stmt, values []ast.Expr) (all []handout) {
	if !copies(fn) {
		return nil
	}
	for _, e := range values {
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
			e = u.X
		}
		lit, ok := ast.Unparen(e).(*ast.CompositeLit)
		if !ok || !own(fn, structOf(fn.File.Package.Info.TypeOf(lit))) {
			continue
		}
		for _, elt := range lit.Elts {
			kv, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			for _, h := range list(fn, s, kv.Value) {
				if key, ok := kv.Key.(*ast.Ident); ok && !token.IsKeyword(syntax.Uncapital(key.Name)) {
					h.name = syntax.Uncapital(key.Name)
				}
				all = append(all, h)
			}
		}
	}
	return all
}

// own says whether a type is one of the function's package.
func own(fn *mutate.Function, named *types.Named) bool {
	return named != nil && named.Obj().Pkg() == fn.File.Package.Types
}

// element is the type of a list's or map's elements; nil for other types.
func element(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

// ownedList says whether an expression is an owner's list or map, or a copy of one that has the same pointers.
func ownedList(fn *mutate.Function, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return owned(fn, e)
	}
	if shallow(fn, call) {
		return owned(fn, call.Args[len(call.Args)-1])
	}
	return ofHelper(fn, call)
}

// shallow says whether a call copies its last argument, and not what that leads to.
func shallow(fn *mutate.Function, call *ast.CallExpr) bool {
	info := fn.File.Package.Info
	if f := syntax.Callee(info, call.Fun); f != nil && f.Pkg() != nil {
		return f.Name() == "Clone" && (f.Pkg().Path() == "slices" || f.Pkg().Path() == "maps")
	}
	return syntax.Builtin(info, call) == "append" && call.Ellipsis.IsValid() && len(call.Args) == 2
}

// ofHelper says whether the first result of a call is an owner's: that of an unexported method of the
// same receiver, some return of which gives away a field, an element of one, or a variable with such.
func ofHelper(fn *mutate.Function, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if v, ok := fn.Path(sel.X).Root.(*types.Var); !ok || v.Kind() != types.RecvVar {
		return false
	}
	for _, c := range fn.Calls(&ast.ExprStmt{X: call}) {
		decl, ok := c.To.Node.(*ast.FuncDecl)
		if c.Expr != call || !ok || decl.Name.IsExported() || c.To.Node == fn.Node {
			continue
		}
		for _, st := range c.To.Statements() {
			ret, ok := st.Stmt.(*ast.ReturnStmt)
			if !ok || len(ret.Results) == 0 {
				continue
			}
			e := ast.Unparen(ret.Results[0])
			if _, nested := e.(*ast.CallExpr); nested {
				continue
			}
			if id, ok := e.(*ast.Ident); ok && readBy(c.To, id) != nil || owned(c.To, e) {
				return true
			}
		}
	}
	return false
}

// takenIn are pointers that an exported function is given and puts into its receiver.
func takenIn(fn *mutate.Function) (all []handout) {
	info := fn.File.Package.Info
	seen := map[types.Object]bool{}
	for _, st := range fn.Statements() {
		s, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			continue
		}
		for i, lhs := range s.Lhs {
			if !owned(fn, lhs) {
				continue
			}
			kept := []ast.Expr{s.Rhs[i]}
			if call, ok := ast.Unparen(s.Rhs[i]).(*ast.CallExpr); ok && syntax.Builtin(info, call) == "append" && !call.Ellipsis.IsValid() {
				kept = call.Args[1:]
			}
			for _, e := range kept {
				id, ok := ast.Unparen(e).(*ast.Ident)
				if !ok || seen[info.Uses[id]] {
					continue
				}
				v, ok := info.Uses[id].(*types.Var)
				if !ok || v.Kind() != types.ParamVar || !own(fn, pointee(v.Type())) || givenBack(fn, v) || top(fn, s) == nil {
					continue
				}
				seen[v] = true
				all = append(all, handout{expr: e, named: pointee(v.Type()), stmt: s, form: taken})
			}
		}
	}
	return all
}

// givenBack says whether a function returns a parameter, or assigns to it or its fields: the caller is to see that.
func givenBack(fn *mutate.Function, v *types.Var) bool {
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		if ret, ok := st.Stmt.(*ast.ReturnStmt); ok {
			return slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { p := fn.Path(e); return p.Root == types.Object(v) && p.Rest == "" })
		}
		return slices.ContainsFunc(syntax.Assigned(st.Stmt), func(lhs ast.Expr) bool { return fn.Path(lhs).Root == types.Object(v) })
	})
}

// top is the statement of the function's own list that a statement is, or is in.
func top(fn *mutate.Function, s ast.Stmt) ast.Stmt {
	for _, o := range fn.Body.List {
		if o.Pos() <= s.Pos() && s.End() <= o.End() {
			return o
		}
	}
	return nil
}

// apply makes the copies of a handout that is none of a plain pointer.
func (h handout) apply(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, v *value) error {
	text := fn.Text
	if h.form == taken {
		name := types.ExprString(h.expr)
		return m.InsertSnippet(e.File, m.Stmt(e.File, fn.ID(top(fn, h.stmt))), false, name+" = "+name+"."+v.method+"()")
	}
	old, ok := m.Of(e.File, h.expr).(dst.Expr)
	if !ok {
		return mutate.Refuse(e, "another edit removed the value")
	}
	at := m.Stmt(e.File, e.Other)
	if h.form == called {
		tuple := fn.File.Package.Info.TypeOf(h.expr).(*types.Tuple)
		names := make([]string, tuple.Len())
		for i := range names {
			names[i] = scope.FreeName(fn, resultName(tuple.At(i), i))
		}
		if err := m.InsertSnippet(e.File, at, false, strings.Join(names, ", ")+" := "+text(h.expr)); err != nil {
			return err
		}
		names[0] += "." + v.method + "()"
		ret, ok := at.(*dst.ReturnStmt)
		if !ok {
			return mutate.Refuse(e, "another edit changed the return")
		}
		ret.Results = nil
		for _, name := range names {
			ret.Results = append(ret.Results, tree.Expr(name))
		}
		return nil
	}
	if done, err := h.inAssigned(m, e, fn, v); done || err != nil {
		return err
	}
	list, index := scope.FreeName(fn, cmp.Or(h.name, "list")), "i"
	made, pkg := text(h.expr), "slices"
	if _, isMap := fn.File.Package.Info.TypeOf(h.expr).Underlying().(*types.Map); isMap {
		index, pkg = "key", "maps"
	}
	if call, ok := ast.Unparen(h.expr).(*ast.CallExpr); !ok || !shallow(fn, call) {
		qualifier, err := m.Import(e.File, pkg)
		if err != nil {
			return err
		}
		made = qualifier + ".Clone(" + made + ")"
	}
	elem := scope.FreeName(fn, "v")
	src := list + " := " + made + "\nfor " + index + ", " + elem + " := range " + list + " {\n" + list + "[" + index + "] = " + elem + "." + v.method + "()\n}"
	if err := m.InsertSnippet(e.File, at, false, src); err != nil {
		return err
	}
	return m.Replace(e.File, old, dst.NewIdent(list))
}

// inAssigned copies the elements of a list or map where it is assigned, if what is assigned is a copy already.
func (h handout) inAssigned(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, v *value) (done bool, err error) {
	s, ok := h.stmt.(*ast.AssignStmt)
	if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Rhs[0] != h.expr || fn.Path(s.Lhs[0]).Root == nil {
		return false, nil
	}
	if call, ok := ast.Unparen(h.expr).(*ast.CallExpr); !ok || !shallow(fn, call) {
		return false, nil
	}
	to, index := types.ExprString(s.Lhs[0]), "i"
	if _, isMap := fn.File.Package.Info.TypeOf(h.expr).Underlying().(*types.Map); isMap {
		index = "key"
	}
	src := "for " + index + ", v := range " + to + " {\n" + to + "[" + index + "] = v." + v.method + "()\n}"
	return true, m.InsertSnippet(e.File, m.Stmt(e.File, e.Other), true, src)
}

// resultName is what a result is called: as the helper calls it, or by its type.
func resultName(v *types.Var, i int) string {
	switch t := v.Type().String(); {
	case v.Name() != "" && v.Name() != "_":
		return v.Name()
	case t == "error":
		return "err"
	case t == "bool":
		return "ok"
	case i == 0:
		return "found"
	}
	return "more"
}
