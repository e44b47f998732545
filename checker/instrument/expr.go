package instrument

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
)

// value is an expression whose value is used.
func (r *rewriter) value(e ast.Expr) string {
	if tv := r.info.Types[e]; tv.Value != nil || tv.IsType() || tv.IsBuiltin() || tv.IsNil() {
		return r.raw(e)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return r.name(e)
	case *ast.SelectorExpr:
		return r.selector(e)
	case *ast.StarExpr:
		return r.load(e)
	case *ast.IndexExpr:
		return r.index(e)
	case *ast.IndexListExpr:
		return r.instance(e, e.X)
	case *ast.BasicLit, *ast.Ellipsis:
		return r.raw(e)
	case *ast.CallExpr:
		return r.callExpr(e)
	case *ast.UnaryExpr:
		return r.unary(e)
	case *ast.BinaryExpr:
		return r.binary(e)
	case *ast.SliceExpr:
		return r.slice(e)
	case *ast.CompositeLit:
		return r.composite(e)
	case *ast.FuncLit:
		parts := r.signature(e.Type)
		return r.splice(e.Pos(), e.End(), append(parts, part{e.Body.Pos(), e.Body.End(), r.function(e.Type, e.Body)})...)
	case *ast.TypeAssertExpr:
		return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.value(e.X)})
	}
	return r.generic(e)
}

// pair is an expression in a place that takes two values: v, ok.
func (r *rewriter) pair(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			return r.receive(x, "Recv2")
		}
	case *ast.IndexExpr:
		if isMap(r.typeOf(x.X)) {
			return r.mapIndex(x, "Get2")
		}
	}
	return r.value(e)
}

// load reads a location, if it may be shared; else it is the location's text.
func (r *rewriter) load(e ast.Expr) string {
	if !r.touches(e) {
		return r.location(e)
	}
	return "(*" + r.call("R", r.pointerTo(e)) + ")"
}

// pointerTo is a pointer to a location.
func (r *rewriter) pointerTo(e ast.Expr) string {
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		return r.value(star.X)
	}
	return "&" + r.location(e)
}

// location is the text of a location that is not itself read: an operand of &, a
// target of an assignment, the beginning of a longer path. Pointers on the way
// there are read.
func (r *rewriter) location(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return r.raw(e)
	case *ast.ParenExpr:
		return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.location(e.X)})
	case *ast.StarExpr:
		return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.value(e.X)})
	case *ast.SelectorExpr:
		if r.qualified(e) {
			return r.raw(e)
		}
		return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.through(e.X, r.base(e.X), r.info.Selections[e])})
	case *ast.IndexExpr:
		if isMap(r.typeOf(e.X)) {
			return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.value(e.X)}, part{e.Index.Pos(), e.Index.End(), r.key(e.Index)})
		}
		x := r.value
		if _, ok := kind(r.typeOf(e.X)).(*types.Array); ok {
			x = r.operand
		}
		return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), x(e.X)}, part{e.Index.Pos(), e.Index.End(), r.value(e.Index)})
	}
	return r.value(e)
}

// base is the operand of a selection. A pointer is read; of anything else only the
// location matters.
func (r *rewriter) base(e ast.Expr) string {
	if _, ok := pointer(r.typeOf(e)); ok {
		return r.value(e)
	}
	return r.operand(e)
}

// name is an identifier: a variable, or a function that another stands for.
func (r *rewriter) name(e *ast.Ident) string {
	o := r.info.Uses[e]
	if name := r.names[o]; name != "" {
		return name
	}
	if text := r.standIn(o); text != "" {
		r.kept = append(r.kept, e.Name+instances[qualifiedName(o)]) // of an import with a dot
		return text
	}
	return r.load(e)
}

// through is the base of a selection, with the names of embedded fields that are
// read on the way: pointers and interfaces.
//
//	x.f
//	(*sched.R(&x.E)).f
func (r *rewriter) through(x ast.Expr, base string, s *types.Selection) string {
	if s != nil {
		base, _, _ = r.along(x, base, s)
	}
	return base
}

// along is what through is, with the names of the embedded fields that follow and need
// not be named, and the type of the last. One that cannot be named ends the way.
func (r *rewriter) along(x ast.Expr, base string, s *types.Selection) (text, way string, last types.Type) {
	shared, t := r.touches(x), s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		of := t
		if elem, ok := pointer(t); ok {
			of, shared = elem, true
		}
		st, ok := kind(of).(*types.Struct)
		if !ok {
			return base, way, t
		}
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != r.pkg {
			return base, way, t
		}
		t, way = f.Type(), way+"."+f.Name()
		if _, ok := pointer(t); (ok || types.IsInterface(t)) && shared && r.among(f) {
			base, way = "(*"+r.call("R", "&"+base+way)+")", ""
		}
	}
	return base, way, t
}

// selector is a qualified name, a field, a method value or a method expression.
func (r *rewriter) selector(e *ast.SelectorExpr) string {
	if text := r.libraryValue(e); text != "" {
		return text
	}
	if r.qualified(e) {
		if text := r.standIn(r.info.Uses[e.Sel]); text != "" {
			r.kept = append(r.kept, r.raw(e.X)+"."+e.Sel.Name+instances[qualifiedName(r.info.Uses[e.Sel])])
			return text + r.moved(e.End(), e.Pos())
		}
		return r.load(e)
	}
	s := r.info.Selections[e]
	if s == nil || s.Kind() == types.MethodExpr {
		if s != nil && !r.calls[e] && r.copiesArgument(s) && s.Obj().(*types.Func).Signature().TypeParams() == nil {
			return r.call("Copying", r.raw(e))
		}
		return r.raw(e)
	}
	if s.Kind() == types.FieldVal {
		return r.load(e)
	}
	if text := cmp.Or(r.fixture(e, s), r.inPlace(e, s)); text != "" {
		return text
	}
	base := r.receiver(e.X, s)
	text := cmp.Or(r.promoted(e.X, base, s), r.through(e.X, base, s))
	switch {
	case !r.calls[e]:
	case r.copies(e, s):
		text = r.via(e.X, base, s)
	case isTypeParam(s.Recv()) && !r.silent:
		if method := r.interfaceOf(s); method != "" {
			text = r.call("ViaParameter["+method+"]", base)
		}
	}
	return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), text})
}

// receiver is the operand of a method. A method with a value receiver reads
// all of it, one with a pointer receiver takes its address.
func (r *rewriter) receiver(x ast.Expr, s *types.Selection) string {
	sig, ok := s.Obj().Type().(*types.Signature)
	if !ok || sig.Recv() == nil || types.IsInterface(s.Recv()) {
		return r.value(x)
	}
	_, byPointer := pointer(sig.Recv().Type())
	direct := len(s.Index()) == 1
	_, isPointer := pointer(r.typeOf(x))
	switch {
	case isPointer && direct && !byPointer && r.wanted(x):
		return "(*" + r.call("R", r.value(x)) + ")"
	case isPointer:
		return r.value(x)
	case direct && !byPointer:
		return r.value(x)
	}
	return r.operand(x)
}

// promoted is the receiver of a promoted method that takes it by value; "" of any
// other.
func (r *rewriter) promoted(x ast.Expr, base string, s *types.Selection) string {
	recv := s.Obj().Type().(*types.Signature).Recv()
	if len(s.Index()) == 1 || recv == nil || types.IsInterface(recv.Type()) {
		return ""
	}
	if _, byPointer := pointer(recv.Type()); byPointer {
		return ""
	}
	return r.embedded(x, base, s)
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// index is an element, or an instantiation of a generic function.
func (r *rewriter) index(e *ast.IndexExpr) string {
	switch kind(r.typeOf(e.X)).(type) {
	case *types.Signature:
		return r.instance(e, e.X)
	case *types.Map:
		return r.mapIndex(e, "Get")
	case *types.Slice, *types.Array, *types.Pointer:
		return r.load(e)
	}
	if r.info.Types[e.Index].IsType() {
		return r.raw(e)
	}
	x := r.value(e.X)
	if r.indexed(e.X) && r.wanted(e.X) && r.pure(e.Index) {
		x = r.call("Element", x, "int("+r.value(e.Index)+")")
	}
	return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), x}, part{e.Index.Pos(), e.Index.End(), r.value(e.Index)})
}

// mapIndex reads an element of a map: map and key are evaluated, then the map is read.
func (r *rewriter) mapIndex(e *ast.IndexExpr, method string) string {
	if !r.wanted(e.X) {
		return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.value(e.X)}, part{e.Index.Pos(), e.Index.End(), r.value(e.Index)})
	}
	r.used = true
	return r.rt + ".Map(" + r.splice(e.Pos(), e.End(),
		part{e.X.Pos(), e.X.End(), r.value(e.X)},
		part{e.Lbrack, e.Lbrack + 1, ")." + method + "("},
		part{e.Index.Pos(), e.Index.End(), r.value(e.Index)},
		part{e.Rbrack, e.Rbrack + 1, ")"})
}

func (r *rewriter) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.ARROW:
		return r.receive(e, "Recv")
	case token.AND:
		return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.location(e.X)})
	}
	return r.generic(e)
}

// receive is a receive expression.
func (r *rewriter) receive(e *ast.UnaryExpr, function string) string {
	r.used = true
	return r.splice(e.Pos(), e.End(),
		part{e.OpPos, e.OpPos + 2, r.rt + "." + function + "("},
		part{e.X.Pos(), e.X.End(), r.value(e.X)}) + ")"
}

// slice is a slice expression: of an array it takes the address.
func (r *rewriter) slice(e *ast.SliceExpr) string {
	x := r.value
	if _, ok := kind(r.typeOf(e.X)).(*types.Array); ok {
		x = r.location
	}
	parts := []part{{e.X.Pos(), e.X.End(), x(e.X)}}
	for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
		if i != nil {
			parts = append(parts, part{i.Pos(), i.End(), r.value(i)})
		}
	}
	return r.splice(e.Pos(), e.End(), parts...)
}

// composite is a composite literal; the names of fields are no expressions.
func (r *rewriter) composite(e *ast.CompositeLit) string {
	t := r.typeOf(e)
	if elem, ok := pointer(t); ok {
		t = elem // &T is left out in a list of elements
	}
	_, isStruct := kind(t).(*types.Struct)
	key := r.value
	if isMap(t) {
		key = func(k ast.Expr) string { return r.keyed(k, r.keyTypeOf(e, k)+r.value(k)) }
	}
	var parts []part
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if !isStruct {
				parts = append(parts, part{kv.Key.Pos(), kv.Key.End(), key(kv.Key)})
			}
			x = kv.Value
		}
		parts = append(parts, part{x.Pos(), x.End(), r.value(x)})
	}
	return r.splice(e.Pos(), e.End(), parts...)
}

// key is the key of a map's entry that is written. Addresses in it are numbered, so that
// the map can be iterated in the same order in every execution.
func (r *rewriter) key(e ast.Expr) string { return r.keyed(e, r.value(e)) }

// keyed is key, with the text of the value.
func (r *rewriter) keyed(e ast.Expr, text string) string {
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok && lit.Type == nil && text[0] == '{' {
		return text // its type has no name here
	}
	if tv := r.info.Types[e]; tv.Value != nil || tv.IsNil() || !addressed(r.typeOf(e)) {
		return text
	}
	return r.call("Key", text)
}

// keyTypeOf is what a composite literal among the keys of a map's literal leaves out, ""
// for any other key, or if it cannot be told from the syntax.
func (r *rewriter) keyTypeOf(m *ast.CompositeLit, key ast.Expr) string {
	of, ok := m.Type.(*ast.MapType)
	if lit, isLit := key.(*ast.CompositeLit); !ok || !isLit || lit.Type != nil || r.tokens.Line(of.Key.Pos()) != r.tokens.Line(of.Key.End()) {
		return ""
	}
	if star, ok := of.Key.(*ast.StarExpr); ok {
		return "&" + r.raw(star.X)
	}
	return r.raw(of.Key)
}

// addressed reports whether a value of a type that can be compared may be, or have in it,
// an address.
func addressed(t types.Type) bool {
	switch u := kind(t).(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if addressed(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return addressed(u.Elem())
	}
	return true
}
