package copyreused

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A lender is a variable whose memory is used again.
type lender struct {
	v     *types.Var // local; or the owner itself, a buffer or reader
	owner *types.Var
	why   string // "b goes back to buffers"
	gifts []given
	ever  bool // it is used again whatever comes behind: by the next call
}

// given is where a lender gives its memory back, or goes on to use it.
type given struct {
	at       ast.Node
	path     []ast.Node
	deferred bool
}

// A finder finds what a declared function hands over.
type finder struct {
	*owners
	file    *analysis.File
	info    *types.Info
	decl    *ast.FuncDecl
	lenders map[*types.Var]*lender
	locals  map[*types.Var]*local
	all     []*local            // in source order
	handed  map[*types.Var]bool // locals that are handed over as a whole
	spans   map[*lender][]span
}

// A local is a local variable with what is assigned to it.
type local struct {
	lender *lender // whose memory it has; nil: nobody's
	values []ast.Expr
	opaque bool // it gets values that are not written there, one of several results or by range
}

func newFinder(o *owners, file *analysis.File, decl *ast.FuncDecl) *finder {
	f := &finder{
		owners: o, file: file, info: file.Package.Info, decl: decl,
		lenders: make(map[*types.Var]*lender), locals: make(map[*types.Var]*local),
		handed: make(map[*types.Var]bool), spans: make(map[*lender][]span),
	}
	syntax.Walk(decl.Body, func(n ast.Node, path []ast.Node) {
		f.lend(n, path)
		f.assign(n)
	})
	if len(f.lenders) > 0 {
		f.follow()
	}
	return f
}

// lend notes what a node gives back or uses again.
func (f *finder) lend(n ast.Node, path []ast.Node) {
	for _, g := range f.owners.gifts(f.info, n, path) {
		if v, ok := f.info.Uses[g.id].(*types.Var); ok && f.own(v) {
			f.gift(v, g.owner, v.Name()+" goes back to "+g.owner.Name(), n, path)
		}
	}
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	if x := resets(f.info, call); x != nil {
		if v := syntax.Variable(f.info, x); v != nil && f.own(v) {
			f.gift(v, v, v.Name()+" is used again", n, path)
		}
	}
	if x, why := reads(f.info, call); x != nil {
		if v := syntax.Variable(f.info, x); v != nil && (f.own(v) || lasting(f.info, x) != nil) {
			f.gift(v.Origin(), v.Origin(), why, n, path)
		}
	}
	if x := f.lasts(call); x != nil {
		v := lasting(f.info, x)
		f.lenders[v] = &lender{v: v, owner: v, why: v.Name() + " is used again", ever: true}
	}
}

// lasts is the buffer of a field or package variable that a call asks for its memory, if
// it is emptied somewhere and others than this call may have it; nil: none.
func (f *finder) lasts(call *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Bytes" || !isNamed(f.info.TypeOf(sel.X), "bytes.Buffer") {
		return nil
	}
	if v := lasting(f.info, sel.X); v == nil || !f.resets[v] || f.fresh(sel.X) {
		return nil
	}
	return sel.X
}

// fresh reports whether an expression is a part of a variable of the function's own.
func (f *finder) fresh(e ast.Expr) bool {
	root := f.root(e)
	return root != nil && f.own(root) && root.Pos() > f.decl.Body.Pos()
}

func (f *finder) gift(v, owner *types.Var, why string, n ast.Node, path []ast.Node) {
	l := f.lenders[v]
	if l == nil || l.owner == v && owner != v { // a pool says more than a Reset
		l = &lender{v: v, owner: owner, why: why}
		f.lenders[v] = l
	}
	if l.owner == owner {
		deferred := slices.ContainsFunc(path, func(n ast.Node) bool { _, is := n.(*ast.DeferStmt); return is })
		l.gifts = append(l.gifts, given{n, slices.Clone(path), deferred})
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
func (f *finder) assign(n ast.Node) {
	to := func(e ast.Expr, value ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return
		}
		v, ok := f.info.ObjectOf(id).(*types.Var)
		if !ok || !f.own(v) {
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
func (f *finder) follow() {
	for grown := true; grown; {
		grown = false
		for _, l := range f.all {
			if l.lender != nil || l.opaque {
				continue
			}
			for _, e := range l.values {
				if l.lender = f.memory(e); l.lender != nil {
					grown = true
					break
				}
			}
		}
	}
	for grown := true; grown; { // what gets anything else as well is safe, as far as is known
		grown = false
		for _, l := range f.all {
			if l.lender != nil && slices.ContainsFunc(l.values, func(e ast.Expr) bool { return f.memory(e) != l.lender }) {
				l.lender, l.opaque, grown = nil, true, true
			}
		}
	}
}

// own reports whether a variable is one of the function's.
func (f *finder) own(v *types.Var) bool {
	return !v.IsField() && f.decl.Pos() <= v.Pos() && v.Pos() < f.decl.End()
}

// root is the variable that an expression of selectors and the like begins with; nil: none.
func (f *finder) root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := f.info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		return f.root(e.X)
	case *ast.StarExpr:
		return f.root(e.X)
	case *ast.IndexExpr:
		return f.root(e.X)
	case *ast.SliceExpr:
		return f.root(e.X)
	}
	return nil
}

// memory is the lender whose memory an expression's value is; nil: nobody's.
func (f *finder) memory(e ast.Expr) *lender {
	if e == nil {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := f.info.ObjectOf(e).(*types.Var)
		if !ok {
			return nil
		}
		if l := f.lenders[v]; l != nil && l.owner != v && reference(v.Type()) {
			return l
		}
		if l := f.locals[v]; l != nil && reference(v.Type()) {
			return l.lender
		}
	case *ast.SelectorExpr:
		if s := f.info.Selections[e]; s != nil && s.Kind() == types.FieldVal && reference(f.info.TypeOf(e)) && !syntax.Pointer(f.info.TypeOf(e)) {
			return f.part(e.X)
		}
	case *ast.StarExpr:
		if reference(f.info.TypeOf(e)) {
			return f.memory(e.X)
		}
	case *ast.SliceExpr:
		if _, array := f.info.TypeOf(e.X).Underlying().(*types.Array); array {
			return f.part(e.X)
		}
		return f.memory(e.X)
	case *ast.CallExpr:
		return f.result(e)
	}
	return nil
}

// part is the lender that a part of is selected from, through structs in it.
func (f *finder) part(e ast.Expr) *lender {
	if l := f.memory(e); l != nil {
		return l
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && !reference(f.info.TypeOf(sel)) {
		return f.part(sel.X)
	}
	return nil
}

// result is the lender whose memory a call returns; nil: nobody's.
func (f *finder) result(call *ast.CallExpr) *lender {
	if tv, ok := f.info.Types[call.Fun]; ok && tv.IsType() { // a conversion
		if len(call.Args) == 1 && reference(tv.Type) {
			return f.memory(call.Args[0])
		}
		return nil
	}
	if syntax.Builtin(f.info, call) == "append" || appends(syntax.Callee(f.info, call.Fun)) {
		return f.memory(call.Args[0])
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	switch t := f.info.TypeOf(sel.X); {
	case isNamed(t, "bytes.Buffer") && (sel.Sel.Name == "Bytes" || sel.Sel.Name == "Next"),
		isNamed(t, "bufio.Scanner") && sel.Sel.Name == "Bytes",
		isNamed(t, "bufio.Reader") && (sel.Sel.Name == "ReadSlice" || sel.Sel.Name == "ReadLine" || sel.Sel.Name == "Peek"):
		if v := syntax.Variable(f.info, sel.X); v != nil {
			if l := f.lenders[v.Origin()]; l != nil {
				return l
			}
			return f.part(sel.X)
		}
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
