package instrument

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"mendel/internal/rewrite/operations"
)

// What predeclared functions, conversions and receivers read behind a slice or a
// pointer.

// operand is the operand of a selection or an index that is part of a longer path:
// the location, if it has one. An element of a map has none: the map is read.
func (r *rewriter) operand(e ast.Expr) string {
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && isMap(r.typeOf(x.X)) {
		return r.value(e)
	}
	return r.location(e)
}

// conversion is a conversion that copies elements; "" for any other.
//
//	string(b)       string(sched.Elements(b))
//	[4]byte(b)      [4]byte(sched.First(b, 4))
func (r *rewriter) conversion(e *ast.CallExpr) string {
	if len(e.Args) != 1 || !r.info.Types[e.Fun].IsType() || !r.wanted(e.Args[0]) {
		return ""
	}
	x := e.Args[0]
	text := ""
	switch to := kind(r.typeOf(e)).(type) {
	case *types.Basic:
		if to.Info()&types.IsString != 0 {
			text = r.contents(x)
		}
	case *types.Array:
		if _, ok := kind(r.typeOf(x)).(*types.Slice); ok {
			text = r.call("First", r.value(x), strconv.FormatInt(to.Len(), 10))
		}
	}
	if text == "" {
		return ""
	}
	return r.splice(e.Pos(), e.End(), part{x.Pos(), x.End(), text})
}

// contents is a value all of whose elements are read; "" if it cannot have any.
func (r *rewriter) contents(x ast.Expr) string {
	switch kind(r.typeOf(x)).(type) {
	case *types.Slice:
		return r.call("Elements", r.value(x))
	case *types.Interface:
		if r.mixed(x) {
			return r.call("Contents", r.value(x))
		}
	}
	return ""
}

// mixed reports whether an expression is a slice or a string, depending on a
// type argument.
func (r *rewriter) mixed(x ast.Expr) bool {
	tp, ok := types.Unalias(r.typeOf(x)).(*types.TypeParam)
	if !ok {
		return false
	}
	constraint, ok := tp.Constraint().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	slices := false
	for t := range operations.Terms(constraint) {
		switch t := kind(t).(type) {
		case *types.Slice:
			slices = true
		case *types.Basic:
			if t.Info()&types.IsString == 0 {
				return false
			}
		default:
			return false
		}
	}
	return slices
}

// indexed reports whether an expression may be a slice, or a pointer to an array,
// depending on a type argument.
func (r *rewriter) indexed(x ast.Expr) bool {
	tp, ok := types.Unalias(r.typeOf(x)).(*types.TypeParam)
	if !ok {
		return false
	}
	constraint, ok := tp.Constraint().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	shared := false
	for t := range operations.Terms(constraint) {
		switch kind(t).(type) {
		case *types.Slice, *types.Pointer:
			shared = true
		}
	}
	return shared
}

// appended is append.
//
//	append(s, x, y)     sched.Append(s).Values(x, y)
//	append(s, t...)     sched.Append(s).Slice(t)
//	append(b, "abc"...) sched.AppendString(b, "abc")
func (r *rewriter) appended(e *ast.CallExpr) string {
	s := e.Args[0]
	if _, ok := kind(r.typeOf(s)).(*types.Slice); !ok || len(e.Args) == 1 || r.silent {
		return r.generic(e)
	}
	if !e.Ellipsis.IsValid() {
		if !r.wanted(s) {
			return r.generic(e)
		}
		return r.halves(e, "Append", "Values")
	}
	t := e.Args[1]
	if r.info.Types[t].IsNil() || !r.wanted(s) && !r.wanted(t) {
		return r.generic(e)
	}
	switch kind(r.typeOf(t)).(type) {
	case *types.Slice:
		return r.spread(e, r.halves(e, "Append", "Slice"))
	case *types.Basic:
		return r.spread(e, r.renamed(e, "AppendString"))
	}
	text := r.contents(t)
	if text == "" {
		return r.generic(e)
	}
	return r.splice(e.Pos(), e.End(), part{s.Pos(), s.End(), r.value(s)}, part{t.Pos(), t.End(), text})
}

// halves is a call whose first argument alone decides on the type: f(s, x) becomes
// First(s).Second(x).
func (r *rewriter) halves(e *ast.CallExpr, first, second string) string {
	r.used = true
	parts := append([]part{{e.Fun.Pos(), e.Fun.End(), r.rt + "." + first}}, r.parts(e.Args)...)
	s, x := e.Args[0], e.Args[1]
	between := part{s.End(), x.Pos(), ")." + second + "(" + r.moved(x.Pos(), s.End())}
	parts = append(parts[:2:2], append([]part{between}, parts[2:]...)...)
	return r.splice(e.Pos(), e.End(), parts...)
}

// spread is a call without the ellipsis of the original.
func (r *rewriter) spread(e *ast.CallExpr, text string) string {
	last := e.Args[len(e.Args)-1]
	after := r.between(last.End(), e.End())
	return text[:len(text)-len(after)] + r.between(e.Ellipsis+3, e.End())
}

// copies reports whether a method that is selected from an interface may take its
// receiver by value, so that a call copies what a pointer in the interface is to.
func (r *rewriter) copies(e *ast.SelectorExpr, s *types.Selection) bool {
	if s.Kind() != types.MethodVal || r.silent || isTypeParam(s.Recv()) {
		return false
	}
	recv := s.Obj().Type().(*types.Signature).Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// via is the receiver of such a method that is called. An embedded interface is
// named, where that is possible.
//
//	i.get               sched.Via(i).get
func (r *rewriter) via(x ast.Expr, base string, s *types.Selection) string {
	if len(s.Index()) == 1 {
		return r.call("Via", base)
	}
	if text := r.embedded(x, base, s); text != "" {
		return r.call("Via", text)
	}
	return r.through(x, base, s)
}

// copying is the interface of a selected method that may copy its receiver when it
// is called, and the method's name; "" of any other function.
func (r *rewriter) copying(function ast.Expr) (holder, method string) {
	e, ok := ast.Unparen(function).(*ast.SelectorExpr)
	if !ok || r.info.Selections[e] == nil {
		return "", ""
	}
	s := r.info.Selections[e]
	if len(s.Index()) > 1 || !r.copies(e, s) {
		return "", ""
	}
	return r.receiver(e.X, s), e.Sel.Name
}

// embedded is the receiver of a promoted method that takes it by value: all fields
// on the way are named, and the last is read. It is "" where that cannot be written.
//
//	x.get               (*sched.R(&x.Base)).get
func (r *rewriter) embedded(x ast.Expr, base string, s *types.Selection) string {
	shared, text := r.touches(x), base
	t := s.Recv()
	if elem, ok := pointer(t); ok {
		t, shared = elem, true
	}
	way := s.Index()[:len(s.Index())-1]
	for n, i := range way {
		st, ok := kind(t).(*types.Struct)
		if !ok {
			return ""
		}
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != r.pkg {
			return "" // it cannot be named here
		}
		text += "." + f.Name()
		elem, isPointer := pointer(f.Type())
		if last := n == len(way)-1; shared && r.among(f) && (isPointer || last || types.IsInterface(f.Type())) {
			text = "(*" + r.call("R", "&"+text) + ")"
		}
		if t = f.Type(); isPointer {
			t, shared = elem, true
			if n == len(way)-1 {
				text = "(*" + r.call("R", text) + ")"
			}
		}
	}
	return text
}

// expression is the call of a method expression whose receiver is a pointer to what
// the method takes by value; "" for any other call.
//
//	(*T).get(p)         (*T).get(sched.R(p))
func (r *rewriter) expression(e *ast.CallExpr) string {
	f, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || len(e.Args) == 0 {
		return ""
	}
	s := r.info.Selections[f]
	if s == nil || s.Kind() != types.MethodExpr || !r.wanted(e.Args[0]) || !r.copiesArgument(s) {
		return ""
	}
	if _, tuple := r.typeOf(e.Args[0]).(*types.Tuple); tuple {
		return ""
	}
	parts := r.parts(e.Args)
	parts[0].text = r.call("R", parts[0].text)
	return r.splice(e.Pos(), e.End(), parts...)
}

// interfaceOf is the text of an interface type with one method; "" if it names types of
// other packages.
func (r *rewriter) interfaceOf(s *types.Selection) string {
	others := false
	text := types.TypeString(s.Obj().Type(), func(p *types.Package) string {
		others = others || p != r.pkg
		return ""
	})
	if others {
		return ""
	}
	return "interface{ " + s.Obj().Name() + strings.TrimPrefix(text, "func") + " }"
}

// copiesArgument reports whether a method expression has a pointer as its first parameter
// to what the method takes by value.
func (r *rewriter) copiesArgument(s *types.Selection) bool {
	if r.silent || len(s.Index()) != 1 {
		return false
	}
	recv := s.Obj().Type().(*types.Signature).Recv()
	if _, isPointer := pointer(s.Recv()); !isPointer || types.IsInterface(recv.Type()) {
		return false
	}
	_, byPointer := pointer(recv.Type())
	return !byPointer
}
