package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/owned"
	"mendel/analysis/syntax"
)

// A writtenIndex knows the variables of a program that are given a new value
// after they were made. It is safe for concurrent use and does not depend on
// the narrowing.
type writtenIndex struct {
	model *locks.Model // nil: nothing is known of who gives a function its parameters
	once  sync.Once
	vars  map[*types.Var]bool
}

// immutable reports whether a variable keeps the value that it was made with, and
// its type is one that leads elsewhere or is a mere number or text: reading it
// needs no lock. A channel's operations synchronise themselves; what a pointer
// leads to has variables of its own. Assigning to a field of an object which
// nobody else knows yet is making it, be it by an option or a setter that only
// constructors call. Tests are left out.
func (ix *index) immutable(v *types.Var) bool {
	if !plain(v.Type()) {
		return false // it may be changed in place: by delete or copy
	}
	ix.written.once.Do(func() { ix.written.fill(ix.program) })
	return !ix.written.vars[v.Origin()]
}

// plain reports whether a value of a type changes only as it, or one of its fields, is assigned
// to, or as its address is taken.
func plain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Chan, *types.Pointer, *types.Interface, *types.Signature, *types.Basic:
		return true
	case *types.Struct:
		for f := range t.Fields() {
			if !plain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// accesses lists the uses of shared variables in a node. To read the length of
// a slice that keeps the length that it was made with needs no lock, whoever
// changes its elements.
func (ix *index) accesses(f *analysis.File, node ast.Node) []analysis.Access {
	return ix.unguarded(ix.narrowing.Accesses(f, node))
}

// unguarded leaves out the uses that need no lock whatever others do.
func (ix *index) unguarded(uses []analysis.Access) []analysis.Access {
	return slices.DeleteFunc(uses, func(a analysis.Access) bool {
		if !a.Length {
			return false
		}
		ix.written.once.Do(func() { ix.written.fill(ix.program) })
		return !ix.written.vars[a.Var.Origin()]
	})
}

func (w *writtenIndex) fill(p *analysis.Program) {
	w.vars = make(map[*types.Var]bool)
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if f.Test {
				continue
			}
			for _, d := range f.AST.Decls {
				fn := &Function{Program: p, File: f, Node: d}
				if decl, ok := d.(*ast.FuncDecl); ok {
					fn.Body = decl.Body
				}
				w.add(fn, d)
			}
		}
	}
}

// add notes the variables that a declaration assigns to or takes the address of.
func (w *writtenIndex) add(fn *Function, d ast.Decl) {
	syntax.Walk(d, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				w.note(fn, n.X, false)
			}
		case *ast.SelectorExpr:
			if takesAddress(fn.File.Package.Info, n) {
				w.note(fn, n.X, false)
			}
		case ast.Stmt:
			for _, e := range syntax.Assigned(n) {
				if !w.givenFresh(d, path, e) {
					w.note(fn, e, true)
				}
			}
		}
	})
}

// givenFresh reports whether a field that is assigned to, at the end of a path, is one of what
// all callers of the innermost function have just made.
func (w *writtenIndex) givenFresh(d ast.Decl, path []ast.Node, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || w.model == nil {
		return false
	}
	var in ast.Node = d
	for _, n := range path {
		if lit, ok := n.(*ast.FuncLit); ok {
			in = lit
		}
	}
	f := w.model.Of(in)
	return f != nil && owned.GivenFresh(w.model, f, sel)
}

// note notes a variable that is assigned to, as a whole or in part, or whose
// address is taken.
func (w *writtenIndex) note(fn *Function, e ast.Expr, assigned bool) {
	var v *types.Var
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if fn.File.Package.Info.Defs[x] == nil { // declared here, it gets its first value
			v, _ = fn.File.Package.Info.ObjectOf(x).(*types.Var)
		}
	case *ast.SelectorExpr:
		if v, _ = fn.File.Package.Info.ObjectOf(x.Sel).(*types.Var); v != nil && fn.Body != nil && fn.Fresh(x) {
			return
		}
	}
	if v != nil {
		w.vars[v.Origin()] = true
	}
	w.noteOwners(fn, e)
	if id, ok := e.(*ast.Ident); assigned && (!ok || fn.File.Package.Info.Defs[id] == nil) {
		w.noteFields(fn.File.Package.Info.TypeOf(e))
	}
}

// takesAddress reports whether a method is called, or taken, on the address of a variable.
func takesAddress(info *types.Info, sel *ast.SelectorExpr) bool {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return false
	}
	_, byPointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	_, pointer := s.Recv().Underlying().(*types.Pointer)
	return byPointer && !pointer
}

// noteOwners notes the variables whose values have the field that is changed as a part.
func (w *writtenIndex) noteOwners(fn *Function, e ast.Expr) {
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return
		}
		e = ast.Unparen(sel.X)
		if t := fn.File.Package.Info.TypeOf(e); t == nil || !isStruct(t) {
			return
		}
		var id *ast.Ident
		switch x := e.(type) {
		case *ast.Ident:
			id = x
		case *ast.SelectorExpr:
			id = x.Sel
		default:
			return
		}
		if v, ok := fn.File.Package.Info.ObjectOf(id).(*types.Var); ok {
			w.vars[v.Origin()] = true
		}
	}
}

// isStruct reports whether values of a type are structs, not pointers to them.
func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// noteFields notes the fields of a struct that is overwritten as a whole.
func (w *writtenIndex) noteFields(t types.Type) {
	if t == nil {
		return
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		w.vars[f.Origin()] = true
		w.noteFields(f.Type())
	}
}
