package clonemap

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A sharedCopy is an expression whose value goes to somebody else, so that both
// share the elements of the map or slice.
type sharedCopy struct {
	expr     ast.Expr // a variable or a slice of one
	v        *types.Var
	at       mutate.Statement
	receiver string // for people: "the caller's own copy"
	kept     bool   // a container has it; v is the container
}

// note says why there is a copy.
func (h *sharedCopy) note() string {
	if h.kept {
		return h.receiver + ": " + h.v.Name() + " gives it to others, too"
	}
	return h.receiver + ": " + types.ExprString(h.expr) + " goes on changing"
}

// sharedCopies lists where the function hands over what its owner goes
// on changing, in source order.
func sharedCopies(fn *mutate.Function) []sharedCopy {
	var out []sharedCopy
	for _, st := range fn.Statements() {
		f := finder{fn: fn, at: st}
		switch s := st.Stmt.(type) {
		case *ast.ReturnStmt:
			f.all("the caller's own copy", s.Results)
		case *ast.SendStmt:
			f.all("the receiver's own copy", []ast.Expr{s.Value})
		case *ast.GoStmt:
			f.all("the goroutine's own copy", s.Call.Args)
		case *ast.AssignStmt:
			f.assigned(s)
		case *ast.ExprStmt:
			f.inside("a copy", s.X)
		case *ast.DeclStmt:
			f.declared(s)
		}
		out = append(out, f.found...)
	}
	return out
}

// A finder looks for shared copies in one statement.
type finder struct {
	fn    *mutate.Function
	at    mutate.Statement
	found []sharedCopy
}

// all visits expressions whose values are handed over.
func (f *finder) all(receiver string, exprs []ast.Expr) {
	for _, e := range exprs {
		f.value(receiver, e)
	}
}

// value visits an expression whose value is handed over as a whole.
func (f *finder) value(receiver string, e ast.Expr) {
	if v := f.container(e); v != nil {
		f.found = append(f.found, sharedCopy{expr: e, v: v, at: f.at, receiver: receiver, kept: true})
		return
	}
	if v := f.variable(e); v != nil {
		if of := f.another(e, v); of != nil {
			v = of
		}
		if f.changes(v) {
			f.found = append(f.found, sharedCopy{expr: e, v: v, at: f.at, receiver: receiver})
		}
		return
	}
	f.inside(receiver, e)
}

// container is the one that has the slice or map of an expression; nil: none has.
func (f *finder) container(e ast.Expr) *types.Var {
	if packageFor(f.fn, e) == "" {
		return nil
	}
	type keeperIn struct{ pkg *analysis.Package }
	pkg := f.fn.File.Package
	k := mutate.Once(f.fn, keeperIn{pkg}, func() *keeper { return keeperOf(pkg) })
	if len(k.all) == 0 {
		return nil
	}
	return k.of(declaration(f.fn, f.at.Stmt), e, f.at.Stmt.Pos())
}

// inside visits what is handed over within an expression: the elements of
// composite literals, and what append adds.
func (f *finder) inside(receiver string, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			for _, elt := range n.Elts {
				if kv, ok := elt.(*ast.KeyValueExpr); ok {
					elt = kv.Value
				}
				f.value(receiver, elt)
			}
			return false
		case *ast.CallExpr:
			if syntax.Builtin(f.fn.File.Package.Info, n) == "append" && !n.Ellipsis.IsValid() && len(n.Args) > 1 {
				f.all(receiver, n.Args[1:])
				return false
			}
		}
		return true
	})
}

// assigned visits an assignment: what is stored where others find it, and what
// is taken out of a critical section.
func (f *finder) assigned(s *ast.AssignStmt) {
	if len(s.Lhs) != len(s.Rhs) || s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		for _, r := range s.Rhs {
			f.inside("a copy", r)
		}
		return
	}
	for i, r := range s.Rhs {
		switch {
		case f.variable(r) == nil:
			f.inside("a copy", r)
		case stored(f.fn, s.Lhs[i]):
			if !f.keeps(s.Lhs[i], r) && !f.missing(s.Lhs[i], r) { // not s.buf = s.buf[:0]
				f.value("a copy", r)
			}
		default:
			f.taken(s.Lhs[i], r)
		}
	}
}

// keeps reports whether a variable gets what it has, or may have: a field gets something else
// if another value's field of that name is stored in it.
func (f *finder) keeps(to, e ast.Expr) bool {
	if f.variable(e) != f.variable(to) {
		return false
	}
	for {
		s, ok := ast.Unparen(e).(*ast.SliceExpr)
		if !ok {
			break
		}
		e = s.X
	}
	own, other := f.fn.Path(to), f.fn.Path(e)
	return own.Root == nil || other.Root == nil || own == other
}

// missing reports whether a local variable is stored where it has been looked for: it is made, and filled, because
// nothing was there.
func (f *finder) missing(to, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	info := f.fn.File.Package.Info
	return slices.ContainsFunc(f.fn.Statements(), func(st mutate.Statement) bool {
		assign, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || types.ExprString(assign.Rhs[0]) != types.ExprString(to) {
			return false
		}
		name, ok := ast.Unparen(assign.Lhs[0]).(*ast.Ident)
		return ok && info.ObjectOf(name) == info.ObjectOf(id)
	})
}

// declared visits a declaration of local variables.
func (f *finder) declared(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok || len(spec.Names) != len(spec.Values) {
			continue
		}
		for i, r := range spec.Values {
			if f.variable(r) == nil {
				f.inside("a copy", r)
			} else {
				f.taken(spec.Names[i], r)
			}
		}
	}
}

// taken visits what a local variable takes out of a critical section, to be
// read when the lock is free again.
func (f *finder) taken(local, e ast.Expr) {
	v := f.variable(e)
	id, ok := ast.Unparen(local).(*ast.Ident)
	if !ok || id.Name == "_" || !f.fn.Narrowing.Shared(v) {
		return
	}
	info := f.fn.File.Package.Info
	own, ok := info.ObjectOf(id).(*types.Var)
	if !ok || v == own || len(elementWrites(f.fn, f.at.Stmt, own)) > 0 {
		return
	}
	for _, s := range f.fn.Sections() {
		if s.Holds(f.at.Stmt) && !s.Deferred {
			f.found = append(f.found, sharedCopy{expr: e, v: v, at: f.at, receiver: "a copy for when " + s.Lock.Expr + " is released"})
			return
		}
	}
}

// variable is the map or slice variable that an expression names, or whose
// slice it is; nil for any other expression.
func (f *finder) variable(e ast.Expr) *types.Var {
	if packageFor(f.fn, e) == "" {
		return nil
	}
	info := f.fn.File.Package.Info
	var obj types.Object
	switch x := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		if _, array := info.TypeOf(x.X).Underlying().(*types.Slice); array {
			return f.variable(x.X)
		}
	case *ast.IndexExpr:
		return f.variable(x.X) // an element that is one, too
	case *ast.Ident:
		obj = info.Uses[x]
	case *ast.SelectorExpr:
		obj = info.Uses[x.Sel]
	}
	v, _ := obj.(*types.Var)
	if v == nil {
		return nil
	}
	return v.Origin()
}

// another is the shared variable of which a local one is another name, or has an element: it is declared so,
// nothing else is assigned to it, and the owner keeps what it has; nil: it is its own.
func (f *finder) another(e ast.Expr, v *types.Var) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || v.Pkg() == nil || v.IsField() || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	var of *types.Var
	assigned := 0
	for _, st := range f.fn.Statements() {
		assign, ok := st.Stmt.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for _, l := range assign.Lhs {
			if f.variable(l) == of && of != nil {
				return nil // the owner has given it away
			}
			if to, ok := ast.Unparen(l).(*ast.Ident); ok && f.fn.File.Package.Info.ObjectOf(to) == v {
				if assigned++; assign.Tok == token.DEFINE && l == assign.Lhs[0] && len(assign.Rhs) == 1 {
					from := assign.Rhs[0]
					if ix, ok := ast.Unparen(from).(*ast.IndexExpr); ok {
						from = ix.X // its type is not that of an element where it is asked for, too
					}
					of = f.variable(from)
				}
			}
		}
	}
	if assigned != 1 || of == nil || !f.fn.Narrowing.Shared(of) || id.Name == "_" {
		return nil
	}
	return of
}

// changes reports whether the owner of a variable goes on changing its elements.
func (f *finder) changes(v *types.Var) bool {
	if f.fn.Narrowing.Shared(v) {
		return true
	}
	if v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return false // and nobody else uses it
	}
	return elementWrites(f.fn, f.at.Stmt, v).after(f.at.Stmt.End(), loopAround(f.fn, f.at.Stmt, v), nil)
}

// stored reports whether an operand is a field, package variable or element,
// which others may read.
func stored(fn *mutate.Function, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return true
	case *ast.Ident:
		obj := fn.File.Package.Info.ObjectOf(e)
		return obj != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
	}
	return false
}
