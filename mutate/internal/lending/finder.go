package lending

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A Lender is a variable whose memory is used again.
type Lender struct {
	Var   *types.Var // local; or the owner itself, a buffer or reader
	Owner *types.Var
	Why   string // "b goes back to buffers"
	Given []Given
	Ever  bool // it is used again whatever comes behind: by the next call
}

// A Given is where a lender gives its memory back, or goes on to use it.
type Given struct {
	At       ast.Node
	Path     []ast.Node // what is around it
	Deferred bool
}

// A Finder finds what a declared function hands over.
type Finder struct {
	*Owners
	File    *analysis.File
	Info    *types.Info
	Decl    *ast.FuncDecl
	Lenders map[*types.Var]*Lender
	locals  map[*types.Var]*local
	all     []*local // in source order
	spans   map[*Lender][]Span
}

// A local is a local variable with what is assigned to it.
type local struct {
	lender *Lender // whose memory it has; nil: nobody's
	values []ast.Expr
	opaque bool // it gets values that are not written there, one of several results or by range
}

// Find finds the lenders of a declared function, and what has their memory.
func Find(o *Owners, file *analysis.File, decl *ast.FuncDecl) *Finder {
	f := &Finder{
		Owners: o, File: file, Info: file.Package.Info, Decl: decl,
		Lenders: make(map[*types.Var]*Lender), locals: make(map[*types.Var]*local),
		spans: make(map[*Lender][]Span),
	}
	syntax.Walk(decl.Body, func(n ast.Node, path []ast.Node) {
		f.lend(n, path)
		f.assign(n)
	})
	if len(f.Lenders) > 0 {
		f.follow()
	}
	return f
}

// lend notes what a node gives back or uses again.
func (f *Finder) lend(n ast.Node, path []ast.Node) {
	for _, g := range f.Gifts(f.Info, n, path) {
		if v, ok := f.Info.Uses[g.Name].(*types.Var); ok && f.Own(v) {
			f.gift(v, g.Owner, v.Name()+" goes back to "+g.Owner.Name(), n, path)
		}
	}
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	if x := resets(f.Info, call); x != nil {
		if v := syntax.Variable(f.Info, x); v != nil && f.Own(v) {
			f.gift(v, v, v.Name()+" is used again", n, path)
		}
	}
	if x, why := reads(f.Info, call); x != nil {
		if v := syntax.Variable(f.Info, x); v != nil && (f.Own(v) || lasting(f.Info, x) != nil) {
			f.gift(v.Origin(), v.Origin(), why, n, path)
		}
	}
	if x := f.lasts(call); x != nil {
		v := lasting(f.Info, x)
		if f.Lenders[v] == nil {
			f.Lenders[v] = &Lender{Var: v, Owner: v, Why: v.Name() + " is used again"}
		}
		f.Lenders[v].Ever = true
	}
}

// lasts is the buffer or reader of a field or package variable that a call asks for its memory,
// if others than this call may have it, and empty it or read on; nil: none.
func (f *Finder) lasts(call *ast.CallExpr) ast.Expr {
	if f.asked(call) == nil {
		return nil
	}
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	v := lasting(f.Info, sel.X)
	if v == nil || isNamed(v.Type(), "bytes.Buffer") && !f.resets[v] || f.fresh(sel.X) {
		return nil
	}
	return sel.X
}

// fresh reports whether an expression is a part of a variable of the function's own.
func (f *Finder) fresh(e ast.Expr) bool {
	root := f.Root(e)
	return root != nil && f.Own(root) && root.Pos() > f.Decl.Body.Pos()
}

func (f *Finder) gift(v, owner *types.Var, why string, n ast.Node, path []ast.Node) {
	l := f.Lenders[v]
	if l == nil || l.Owner == v && owner != v { // a pool says more than a Reset
		l = &Lender{Var: v, Owner: owner, Why: why}
		f.Lenders[v] = l
	}
	if l.Owner == owner {
		deferred := slices.ContainsFunc(path, func(n ast.Node) bool { _, is := n.(*ast.DeferStmt); return is })
		l.Given = append(l.Given, Given{n, slices.Clone(path), deferred})
	}
}

// reads is the reader of package bufio that a call makes read on; nil: none.
func reads(info *types.Info, call *ast.CallExpr) (x ast.Expr, why string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	switch {
	case sel.Sel.Name == "Scan" && isNamed(info.TypeOf(sel.X), "bufio.Scanner"):
		return sel.X, "the next Scan overwrites it"
	case isNamed(info.TypeOf(sel.X), "bufio.Reader"):
		return sel.X, "the next read overwrites it"
	}
	return nil, ""
}

// assign notes what a node assigns to local variables.
func (f *Finder) assign(n ast.Node) {
	to := func(e ast.Expr, value ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return
		}
		v, ok := f.Info.ObjectOf(id).(*types.Var)
		if !ok || !f.Own(v) {
			return
		}
		l := f.locals[v]
		if l == nil {
			l = new(local)
			f.locals[v] = l
			f.all = append(f.all, l)
		}
		l.values = append(l.values, value)
		l.opaque = l.opaque || value == nil
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			switch {
			case len(n.Lhs) == len(n.Rhs):
				to(lhs, n.Rhs[i])
			case i == 0 && callOf(n.Rhs[0]) != nil: // the first result
				to(lhs, n.Rhs[0])
			default:
				to(lhs, nil)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) && len(n.Names) == len(n.Values) {
				to(name, n.Values[i])
			}
		}
	case *ast.RangeStmt:
		to(n.Key, nil)
		to(n.Value, nil)
	}
}

// follow finds the locals that have a lender's memory, and nothing else.
func (f *Finder) follow() {
	for grown := true; grown; {
		grown = false
		for _, l := range f.all {
			if l.lender != nil || l.opaque {
				continue
			}
			for _, e := range l.values {
				if l.lender = f.Memory(e); l.lender != nil {
					grown = true
					break
				}
			}
		}
	}
	for grown := true; grown; { // what gets anything else as well is safe, as far as is known
		grown = false
		for _, l := range f.all {
			if l.lender != nil && slices.ContainsFunc(l.values, func(e ast.Expr) bool { return f.Memory(e) != l.lender }) {
				l.lender, l.opaque, grown = nil, true, true
			}
		}
	}
}

// Own reports whether a variable is one of the function's.
func (f *Finder) Own(v *types.Var) bool {
	return !v.IsField() && f.Decl.Pos() <= v.Pos() && v.Pos() < f.Decl.End()
}

// Has is the lender that a local variable is, or has the memory of; nil: none.
func (f *Finder) Has(v *types.Var) *Lender {
	if l := f.Lenders[v]; l != nil {
		return l
	}
	if l := f.locals[v]; l != nil {
		return l.lender
	}
	return nil
}

// OnlyValue is the only one that a local variable gets; nil: there are several, or it is
// not written there.
func (f *Finder) OnlyValue(v *types.Var) ast.Expr {
	if l := f.locals[v]; l != nil && !l.opaque && len(l.values) == 1 {
		return l.values[0]
	}
	return nil
}

// Root is the variable that an expression of selectors and the like begins with; nil: none.
func (f *Finder) Root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := f.Info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		return f.Root(e.X)
	case *ast.StarExpr:
		return f.Root(e.X)
	case *ast.IndexExpr:
		return f.Root(e.X)
	case *ast.SliceExpr:
		return f.Root(e.X)
	}
	return nil
}

// Memory is the lender whose memory an expression's value is; nil: nobody's.
func (f *Finder) Memory(e ast.Expr) *Lender {
	if e == nil {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := f.Info.ObjectOf(e).(*types.Var)
		if !ok {
			return nil
		}
		if l := f.Lenders[v]; l != nil && l.Owner != v && reference(v.Type()) {
			return l
		}
		if l := f.locals[v]; l != nil && reference(v.Type()) {
			return l.lender
		}
	case *ast.SelectorExpr:
		if s := f.Info.Selections[e]; s != nil && s.Kind() == types.FieldVal && reference(f.Info.TypeOf(e)) && !syntax.Pointer(f.Info.TypeOf(e)) {
			return f.part(e.X)
		}
	case *ast.StarExpr:
		if reference(f.Info.TypeOf(e)) {
			return f.Memory(e.X)
		}
	case *ast.SliceExpr:
		if _, array := f.Info.TypeOf(e.X).Underlying().(*types.Array); array {
			return f.part(e.X)
		}
		return f.Memory(e.X)
	case *ast.CallExpr:
		return f.result(e)
	}
	return nil
}

// part is the lender that a part of is selected from, through structs in it.
func (f *Finder) part(e ast.Expr) *Lender {
	if l := f.Memory(e); l != nil {
		return l
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && !reference(f.Info.TypeOf(sel)) {
		return f.part(sel.X)
	}
	return nil
}

// result is the lender whose memory a call returns; nil: nobody's.
func (f *Finder) result(call *ast.CallExpr) *Lender {
	if tv, ok := f.Info.Types[call.Fun]; ok && tv.IsType() { // a conversion
		if len(call.Args) == 1 && reference(tv.Type) {
			return f.Memory(call.Args[0])
		}
		return nil
	}
	if syntax.Builtin(f.Info, call) == "append" || appends(syntax.Callee(f.Info, call.Fun)) {
		return f.Memory(call.Args[0])
	}
	x := f.asked(call)
	if x == nil {
		return nil
	}
	if v := syntax.Variable(f.Info, x); v != nil {
		if l := f.Lenders[v.Origin()]; l != nil {
			return l
		}
	}
	return f.part(x)
}

// asked is the buffer or reader that a call asks for its memory; nil: none.
func (f *Finder) asked(call *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	t, name := f.Info.TypeOf(sel.X), sel.Sel.Name
	switch {
	case isNamed(t, "bytes.Buffer") && (name == "Bytes" || name == "Next"),
		isNamed(t, "bufio.Scanner") && name == "Bytes",
		isNamed(t, "bufio.Reader") && (name == "ReadSlice" || name == "ReadLine" || name == "Peek"):
		return sel.X
	}
	return nil
}

// appends reports whether a function of the standard library returns its first argument,
// or a part of it: strconv.AppendInt, bytes.TrimSpace.
func appends(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil || fn.Signature().Params().Len() == 0 || fn.Signature().Results().Len() == 0 {
		return false
	}
	if !types.Identical(fn.Signature().Params().At(0).Type(), fn.Signature().Results().At(0).Type()) {
		return false
	}
	name, path := fn.Name(), fn.Pkg().Path()
	switch path {
	case "strconv", "fmt", "encoding/hex", "unicode/utf8":
		return len(name) >= 6 && name[:6] == "Append"
	case "bytes":
		return len(name) >= 4 && name[:4] == "Trim"
	}
	return false
}

// Near is where the memory of a lender is used: in the function, and in those that it calls
// with it.
func (f *Finder) Near(l *Lender) []Span {
	if f.spans[l] != nil {
		return f.spans[l]
	}
	out := []Span{{f.File, f.Decl.Pos(), f.Decl.End()}}
	for n := range ast.Preorder(f.Decl.Body) {
		call, ok := n.(*ast.CallExpr)
		if !ok || !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return f.Memory(e) == l }) {
			continue
		}
		if fn := syntax.Callee(f.Info, call.Fun); fn != nil {
			if s, ok := f.bodies[fn.Origin()]; ok {
				out = append(out, s)
			}
		}
	}
	f.spans[l] = out
	return out
}

// A Span is a part of a file's text.
type Span struct {
	File     *analysis.File
	From, To token.Pos
}
