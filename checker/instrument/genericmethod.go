package instrument

import (
	"go/ast"
	"go/types"
)

// Methods with type parameters of their own (Go 1.27). The selection of such a method is
// a value only with all its type arguments, which a call's arguments may imply.

// genericMethod is the selection of a method with type parameters of its own, with or
// without type arguments; nil of any other function.
func (r *rewriter) genericMethod(function ast.Expr) (*ast.SelectorExpr, *types.Selection) {
	switch e := ast.Unparen(function).(type) {
	case *ast.IndexExpr:
		return r.genericMethod(e.X)
	case *ast.IndexListExpr:
		return r.genericMethod(e.X)
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		if s == nil || s.Kind() != types.MethodVal || s.Obj().(*types.Func).Signature().TypeParams() == nil {
			return nil, nil
		}
		return e, s
	}
	return nil, nil
}

// inferred reports whether an expression is a declared function or a method expression that
// gets type arguments where it goes: it is no value of its own.
func (r *rewriter) inferred(e ast.Expr) bool {
	name := ast.Unparen(e)
	switch x := name.(type) {
	case *ast.IndexExpr:
		name = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		name = ast.Unparen(x.X)
	}
	if sel, ok := name.(*ast.SelectorExpr); ok {
		name = sel.Sel
	}
	id, ok := name.(*ast.Ident)
	_, instance := r.info.Instances[id]
	return ok && instance && r.static(e)
}

// instance is a function with type arguments. What a generic method is selected from is
// an expression as any other.
func (r *rewriter) instance(e, function ast.Expr) string {
	if sel, _ := r.genericMethod(function); sel == nil {
		return r.raw(e)
	}
	return r.splice(e.Pos(), e.End(), part{function.Pos(), function.End(), r.value(function)})
}

// bound is what a generic method is selected from, as the value that the method gets, and
// the rest of the selection; "" of any other function.
//
//	x.m       (&x), .m
//	x.m[int]  (&x), .m[int]
func (r *rewriter) bound(function ast.Expr) (receiver, method string) {
	e, s := r.genericMethod(function)
	if e == nil {
		return "", ""
	}
	method = "." + e.Sel.Name
	switch f := ast.Unparen(function).(type) {
	case *ast.IndexExpr:
		method += r.between(f.Lbrack, f.End())
	case *ast.IndexListExpr:
		method += r.between(f.Lbrack, f.End())
	}
	base := r.receiver(e.X, s)
	_, isPointer := pointer(r.typeOf(e.X))
	if _, byPointer := pointer(s.Obj().(*types.Func).Signature().Recv().Type()); byPointer {
		text, way, last := r.along(e.X, base, s)
		if _, isPointer = pointer(last); isPointer {
			return text + way, method
		}
		return "(&" + text + way + ")", method
	}
	if text := r.promoted(e.X, base, s); text != "" {
		return text, method
	}
	if isPointer && !r.wanted(e.X) {
		return "(*" + base + ")", method // else it is read, which gives what it points to
	}
	return base, method
}
