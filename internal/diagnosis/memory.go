package diagnosis

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// deepest is over how many calls memory is followed to where it comes from. Guessed.
const deepest = 3

// behind are the uses of variables whose memory a side has by the name of a local variable: where that is assigned to, and where
// the functions that it is from have it from.
func (r *racing) behind(s side) []access.Use {
	around := r.around(s.file, s.Line)
	if around == nil {
		return nil
	}
	names := map[types.Object]bool{}
	ast.Inspect(around, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.line(id.Pos()) == s.Line {
			if v := leading(s.file.Package.Info, id); v != nil {
				names[v] = true
			}
		}
		return true
	})
	return r.assigned(s.file, around, names, deepest)
}

// leading is the local variable that an expression names, if what it leads to may be others', too; nil: it is none.
func leading(info *types.Info, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || v.Kind() != types.LocalVar || !leadsOn(v.Type()) {
		return nil
	}
	return v
}

// assigned are the uses of variables in what a function assigns to local ones.
func (l *looking) assigned(f *analysis.File, around ast.Node, names map[types.Object]bool, calls int) (uses []access.Use) {
	info := f.Package.Info
	ast.Inspect(around, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || !slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool {
			id, ok := ast.Unparen(e).(*ast.Ident)
			return ok && names[info.ObjectOf(id)]
		}) {
			return true
		}
		for _, e := range assign.Rhs {
			uses = append(uses, l.sources(f, e, calls)...)
		}
		return true
	})
	return uses
}

// sources are the uses of variables that an expression's memory may come from: those in it, or, of a call, those in what the
// called function returns, if there are any; or, of a local variable whose type is asserted, those in what that has got.
func (l *looking) sources(f *analysis.File, e ast.Expr, calls int) (uses []access.Use) {
	if asserted, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok && calls > 0 {
		if id, ok := ast.Unparen(asserted.X).(*ast.Ident); ok {
			return l.assigned(f, l.around(f, l.line(id.Pos())), map[types.Object]bool{f.Package.Info.Uses[id]: true}, calls-1)
		}
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && calls > 0 {
		if fn := syntax.Callee(f.Package.Info, call.Fun); fn != nil {
			if of := l.model.Named(fn.Origin().FullName()); of != nil {
				uses = l.returned(of, calls-1)
			}
		}
	}
	if len(uses) > 0 {
		return uses
	}
	for _, u := range access.All(l.model) {
		if u.In.File == f && !u.Write && syntax.Within(ast.Node(u.At), ast.Node(e)) {
			uses = append(uses, u)
		}
	}
	if u, ok := l.fromMap(f, e); ok && len(uses) == 0 {
		uses = append(uses, u)
	}
	return uses
}

// fromMap is the use of a field that is a sync.Map, or another value that synchronises by itself, in a call of its method.
// Nobody lists such uses, because they need no lock; what the value keeps may need one.
func (l *looking) fromMap(f *analysis.File, e ast.Expr) (u access.Use, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return u, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return u, false
	}
	field, isSelector := ast.Unparen(sel.X).(*ast.SelectorExpr)
	if !isSelector || syntax.Field(f.Package.Info, field) == nil || !l.keeps(f.Package.Info.TypeOf(field)) {
		return u, false
	}
	in := l.model.Of(l.around(f, l.line(call.Pos())))
	owner, named := types.Unalias(pointed(f.Package.Info.TypeOf(field.X))).(*types.Named)
	if in == nil || !named {
		return u, false
	}
	name := owner.Obj().Name() + "." + field.Sel.Name
	return access.Use{Variable: access.Variable{Key: f.Package.Path + "." + name, Name: name}, In: in, At: field}, true
}

// returned are the uses of variables that the memory which a function returns may come from.
func (l *looking) returned(fn *program.Func, calls int) (uses []access.Use) {
	info := fn.Info()
	names := map[types.Object]bool{}
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			return
		}
		for _, e := range ret.Results {
			t := info.TypeOf(e)
			if t == nil || !leadsOn(t) {
				continue
			}
			if v := leading(info, e); v != nil {
				names[v] = true
				continue
			}
			switch ast.Unparen(e).(type) {
			case *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.CallExpr, *ast.TypeAssertExpr:
				uses = append(uses, l.sources(fn.File, e, calls)...)
			}
		}
	})
	return append(uses, l.assigned(fn.File, fn.Body, names, calls)...)
}

// keeps reports whether a value of a type may keep what it is given, and give it to others: it is a struct of another
// module.
func (l *looking) keeps(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	_, isStruct := named.Underlying().(*types.Struct)
	return isStruct && !slices.ContainsFunc(l.program.Packages, func(p *analysis.Package) bool { return p.Path == named.Obj().Pkg().Path() })
}

// shallow explains a race of a field by a copy that is not deep enough: a method copies what its receiver has, a list or map of
// pointers to the structs with the field among it, and both have these structs then.
func (r *racing) shallow(name string, v *types.Var) {
	if v == nil || !v.IsField() {
		return
	}
	var places []Place
	for _, pkg := range r.program.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || f.Test || fn.Body == nil || !copiesReceiver(pkg.Info, fn) {
					continue
				}
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					if n != nil && sharesElements(pkg.Info, n, v) {
						places = append(places, r.place(f, r.line(n.Pos())))
					}
					return true
				})
			}
		}
	}
	if len(places) > 0 {
		r.add(Finding{
			Fault: evidence.HandedOut, Places: places, Variable: name, Certainty: Likely,
			Says: fmt.Sprintf("%v copies what has %s by a pointer, and not what it points to: the original and the copy share it", places[0], name),
		})
	}
}

// copiesReceiver reports whether a method returns a value of its receiver's type.
func copiesReceiver(info *types.Info, fn *ast.FuncDecl) bool {
	if fn.Recv == nil || fn.Type.Results == nil || len(fn.Type.Results.List) != 1 {
		return false
	}
	return syntax.SameGeneric(pointed(info.TypeOf(fn.Recv.List[0].Type)), pointed(info.TypeOf(fn.Type.Results.List[0].Type)))
}

// pointed is what a pointer type points to, or another type itself.
func pointed(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// sharesElements reports whether a node copies a list or map of pointers to structs with a field, or one of its elements, as
// they are.
func sharesElements(info *types.Info, n ast.Node, field *types.Var) bool {
	has := func(t types.Type) bool {
		p, ok := types.Unalias(t).(*types.Pointer)
		if !ok {
			return false
		}
		st, ok := p.Elem().Underlying().(*types.Struct)
		if !ok {
			return false
		}
		for f := range st.Fields() {
			if f.Origin() == field.Origin() {
				return true
			}
		}
		return false
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		f := syntax.Callee(info, n.Fun)
		clones := f != nil && f.Pkg() != nil && f.Name() == "Clone" && (f.Pkg().Path() == "maps" || f.Pkg().Path() == "slices")
		if name := syntax.Builtin(info, n); !clones && name != "copy" && (name != "append" || !n.Ellipsis.IsValid()) || len(n.Args) == 0 {
			return false
		}
		elems, ok := info.TypeOf(n.Args[len(n.Args)-1]).Underlying().(interface{ Elem() types.Type })
		return ok && has(elems.Elem())
	case *ast.RangeStmt:
		id, ok := n.Value.(*ast.Ident)
		if !ok || info.Defs[id] == nil || !has(info.TypeOf(id)) {
			return false
		}
		return syntax.Any(n.Body, func(b ast.Node) bool {
			a, ok := b.(*ast.AssignStmt)
			return ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && syntax.Is(info, a.Rhs[0], info.Defs[id]) && isElement(a.Lhs[0])
		})
	}
	return false
}

func isElement(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok
}
