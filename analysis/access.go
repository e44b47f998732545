package analysis

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// An Access is one use of a variable.
//
// What is reached through a variable counts as the variable: an element of a
// slice, map or array, the target of a pointer to anything but a struct of the
// module, and the inside of a value of a foreign type (a bytes.Buffer). Expr is
// the part that denotes the variable: "s.items" of "s.items[i] = 1". A struct that is
// copied, or overwritten, through a pointer is a use of each of its fields: "*s".
type Access struct {
	Var   *types.Var
	Expr  ast.Expr // *ast.Ident, *ast.SelectorExpr or *ast.StarExpr
	Write bool

	// Length says that only the length of a slice is read: whoever changes its
	// elements does not get in the way.
	Length bool

	atomic bool // by a function of sync/atomic
	elem   bool // of what the variable leads to: an element, a pointer's target
}

// Owner is the struct, or the pointer to it, whose field is used: "s" of "s.items" and of
// "*s"; nil if there is none. What a package's name selects counts too.
func (a Access) Owner() ast.Expr {
	switch e := ast.Unparen(a.Expr).(type) {
	case *ast.SelectorExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	}
	return nil
}

// A use says what happens to the storage that an expression denotes.
type use int

const (
	read use = iota
	write
	address // taken, or selected from without being read
	handed  // given by its address to code that is not examined, which may write it
	atomic  // by a function of sync/atomic, through its address

	elem   use = 1 << 4 // added to the use of what is reached through the variable
	length use = 1 << 5 // added to the read of a slice of which only the length is used
)

// accesses lists the uses of the module's variables in a node, in source
// order. Function literals inside the node are left out; a node that is
// a function is entered. Declarations are no uses, nor is what synchronises:
// mutexes and atomic values.
func (p *Program) accesses(info *types.Info, node ast.Node) []Access {
	w := &accessWalker{p: p, info: info}
	switch n := node.(type) {
	case *ast.FuncDecl:
		if n.Body != nil {
			w.walk(n.Body)
		}
	case *ast.FuncLit:
		w.walk(n.Body)
	default:
		w.walk(n)
	}
	slices.SortStableFunc(w.found, func(a, b Access) int { return cmp.Compare(a.Expr.Pos(), b.Expr.Pos()) })
	return w.found
}

// Uses lists the uses of the module's variables in a node, shared or not, in
// source order, function literals inside it left out. A function as node is entered,
// and its uses are remembered: they must not be changed.
func (p *Program) Uses(f *File, node ast.Node) []Access {
	if p.index != nil {
		if fn := p.index().byNode[node]; fn != nil {
			return fn.uses
		}
	}
	return p.accesses(f.Package.Info, node)
}

type accessWalker struct {
	p     *Program
	info  *types.Info
	found []Access
}

// walk visits a node that is a statement or an expression whose value is read.
func (w *accessWalker) walk(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.TypeSpec, *ast.Field:
			return false
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				w.expr(e, write)
			}
			for _, e := range n.Rhs {
				w.expr(e, read)
			}
			return false
		case *ast.IncDecStmt:
			w.expr(n.X, write)
			return false
		case *ast.RangeStmt:
			w.rangeStmt(n)
			return false
		case *ast.ValueSpec:
			for _, e := range n.Values {
				w.expr(e, read)
			}
			return false
		case *ast.BranchStmt:
			return false
		case *ast.LabeledStmt:
			w.walk(n.Stmt)
			return false
		case ast.Expr:
			w.expr(n, read)
			return false
		}
		return true
	})
}

func (w *accessWalker) rangeStmt(n *ast.RangeStmt) {
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil {
			w.expr(e, write)
		}
	}
	if n.Value == nil && w.isSlice(n.X) {
		w.expr(n.X, read|length)
	} else {
		w.expr(n.X, read|elem)
	}
	w.walk(n.Body)
}

// expr visits an expression whose storage is used as told.
func (w *accessWalker) expr(e ast.Expr, u use) {
	switch e := e.(type) {
	case *ast.Ident:
		w.record(e, w.info.Uses[e], u)
	case *ast.SelectorExpr:
		w.selector(e, u)
	case *ast.ParenExpr:
		w.expr(e.X, u)
	case *ast.StarExpr:
		if w.isType(e) {
			return
		}
		w.fields(e, u)
		w.expr(e.X, through(u))
	case *ast.IndexExpr:
		w.index(e, u)
	case *ast.SliceExpr:
		w.expr(e.X, u&^length)
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				w.expr(i, read)
			}
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			w.expr(e.X, address)
			return
		}
		w.expr(e.X, read)
	case *ast.CallExpr:
		w.call(e)
	case *ast.CompositeLit:
		w.composite(e)
	case *ast.FuncLit, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType:
	default:
		w.operands(e)
	}
}

// fields visits the fields of a struct of the module that is copied or overwritten as a
// whole through a pointer.
func (w *accessWalker) fields(e *ast.StarExpr, u use) {
	t := w.info.TypeOf(e)
	if t == nil || u != read && u != write {
		return
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			w.record(e, f, u)
		}
	}
}

// through is the use of a pointer, slice, map or array whose target or element is used.
func through(u use) use {
	if u&^(elem|length) == write {
		return write | elem
	}
	return read | elem
}

// index visits x[i]. The elements of an array are part of the variable; those of a slice or map are not.
func (w *accessWalker) index(e *ast.IndexExpr, u use) {
	if w.info.Types[e.Index].IsType() { // an instantiation
		return
	}
	if _, isArray := w.info.TypeOf(e.X).Underlying().(*types.Array); isArray {
		w.expr(e.X, u)
	} else {
		w.expr(e.X, through(u))
	}
	w.expr(e.Index, read)
}

// operands reads what an expression without storage of its own is made of.
func (w *accessWalker) operands(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		if sub, ok := n.(ast.Expr); ok && n != ast.Node(e) {
			w.expr(sub, read)
			return false
		}
		return true
	})
}

func (w *accessWalker) isSlice(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func (w *accessWalker) isType(e ast.Expr) bool { return w.info.Types[e].IsType() }

// selector visits x.f: the field, and the variables on the way to it. What
// happens to a field happens to the struct variable that it is a part of, but
// not to a pointer that leads to the struct.
func (w *accessWalker) selector(e *ast.SelectorExpr, u use) {
	sel := w.info.Selections[e]
	if sel == nil { // package.name
		w.record(e, w.info.Uses[e.Sel], u)
		return
	}
	if sel.Kind() != types.FieldVal { // a method value: its receiver is read
		w.receiver(e, sel)
		return
	}
	w.record(e, sel.Obj(), u)
	u &^= length
	if isPointer(w.info.TypeOf(e.X)) || sel.Indirect() || u&elem != 0 {
		w.expr(e.X, read)
		return
	}
	if isSync(sel.Obj().Type()) {
		u = address
	}
	w.expr(e.X, u)
}

// call visits a call: builtins by what they do to their arguments, methods by
// what they may do to their receivers.
func (w *accessWalker) call(e *ast.CallExpr) {
	if w.isType(e.Fun) { // a conversion
		for _, a := range e.Args {
			w.expr(a, read)
		}
		return
	}
	fun := ast.Unparen(e.Fun)
	effect := w.effect(e)
	if sel, ok := fun.(*ast.SelectorExpr); ok && w.info.Selections[sel] != nil && w.info.Selections[sel].Kind() != types.FieldVal {
		w.receiver(sel, w.info.Selections[sel])
	} else if _, ok := fun.(*ast.FuncLit); !ok {
		w.expr(fun, read)
	}
	if w.measures(e) {
		w.expr(e.Args[0], read|length)
		return
	}
	for i, a := range e.Args {
		w.argument(a, effect(i))
	}
}

// measures reports whether a call is len or cap of a slice.
func (w *accessWalker) measures(e *ast.CallExpr) bool {
	b, ok := calledObject(w.info, e).(*types.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap") && w.isSlice(e.Args[0])
}

// argument visits an argument whose target is used as told by the callee.
func (w *accessWalker) argument(a ast.Expr, u use) {
	if addr, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && addr.Op == token.AND {
		if u == handed {
			u = write
		}
		w.expr(addr.X, u)
		return
	}
	if u == write {
		w.expr(a, write|elem)
		return
	}
	w.expr(a, read)
}

// receiver visits the receiver of a method. The methods of the module's own
// types are examined themselves; those of foreign types with a pointer
// receiver are taken to write, unless the type is known to guard itself.
func (w *accessWalker) receiver(sel *ast.SelectorExpr, s *types.Selection) {
	x := ast.Unparen(sel.X)
	if s.Kind() == types.MethodExpr {
		return
	}
	fn, _ := s.Obj().(*types.Func)
	pointer := fn != nil && isPointer(fn.Signature().Recv().Type())
	switch {
	case fn == nil || !pointer:
		w.expr(x, read)
	case w.p.owns(fn) || guardsItself(fn.Pkg()) || readsOnly(fn):
		if isPointer(w.info.TypeOf(x)) {
			w.expr(x, read)
		} else {
			w.expr(x, address)
		}
	case isPointer(w.info.TypeOf(x)):
		w.expr(x, write|elem)
	default:
		w.expr(x, write)
	}
}

func (w *accessWalker) composite(e *ast.CompositeLit) {
	t := w.info.TypeOf(e)
	_, isStruct := deref(t).Underlying().(*types.Struct)
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if !isStruct {
				w.expr(kv.Key, read)
			}
			elt = kv.Value
		}
		w.expr(elt, read)
	}
}

// record notes a use of a variable of the module.
func (w *accessWalker) record(e ast.Expr, obj types.Object, u use) {
	v, ok := obj.(*types.Var)
	kind := u &^ (elem | length)
	if !ok || kind == address || v.Name() == "_" || !w.p.owns(v) || isSync(v.Type()) {
		return
	}
	w.found = append(w.found, Access{
		Var:    v.Origin(),
		Expr:   e,
		Write:  kind == write || kind == atomic,
		Length: u&length != 0,
		atomic: kind == atomic,
		elem:   u&elem != 0,
	})
}
