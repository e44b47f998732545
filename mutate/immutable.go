package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"mendel/analysis"
	"mendel/analysis/locks"
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
	switch v.Type().Underlying().(type) {
	case *types.Chan, *types.Pointer, *types.Interface, *types.Signature, *types.Basic:
	default:
		return false // it may be changed in place: by a method, delete or copy
	}
	ix.written.once.Do(func() { ix.written.fill(ix.program) })
	return !ix.written.vars[v.Origin()]
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
	return f != nil && w.model.GivenFresh(f, sel)
}

// note notes a variable that is assigned to, as a whole or in part, or whose
// address is taken.
func (w *writtenIndex) note(fn *Function, e ast.Expr, assigned bool) {
	var v *types.Var
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if fn.File.Package.Info.Defs[x] == nil { // declared here, it gets its first value
			v, _ = fn.object(x).(*types.Var)
		}
	case *ast.SelectorExpr:
		if v, _ = fn.object(x.Sel).(*types.Var); v != nil && fn.Body != nil && fn.Fresh(x) {
			return
		}
	}
	if v != nil {
		w.vars[v.Origin()] = true
	}
	if id, ok := e.(*ast.Ident); assigned && (!ok || fn.File.Package.Info.Defs[id] == nil) {
		w.noteFields(fn.File.Package.Info.TypeOf(e))
	}
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
