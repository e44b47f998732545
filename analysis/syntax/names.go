package syntax

import (
	"go/ast"
	"go/types"
	"strings"
)

// Is reports whether an expression is the name of a variable, function or other object.
func Is(info *types.Info, e ast.Expr, obj types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.Uses[id] == obj
}

// Declared is the function, method or field as the program declares it that an object is: of an instance of
// a generic type, that of the type.
func Declared(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// Variable is the variable or field that an expression names last; nil if it ends
// with anything else.
func Variable(info *types.Info, e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

// Field is the field that an expression selects, of the generic type where there is one; nil if it
// selects something else.
func Field(info *types.Info, e ast.Expr) *types.Var {
	if _, selects := ast.Unparen(e).(*ast.SelectorExpr); !selects {
		return nil
	}
	v := Variable(info, e)
	if v == nil || !v.IsField() {
		return nil
	}
	return v.Origin()
}

// Plain reports whether an expression is a name, or fields of one, so that it can be evaluated twice.
func Plain(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return Plain(e.X)
	}
	return false
}

// Names reports whether code names an object, a field behind its value or a method
// of any instance included. Function literals are looked into.
func Names(info *types.Info, code ast.Node, obj types.Object) bool {
	return Any(code, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used := info.Uses[id]
			if f, ok := used.(*types.Func); ok {
				used = f.Origin()
			}
			return used == obj
		}
		return false
	})
}

// Has reports whether code has an identifier that denotes or declares an object.
// Function literals are looked into.
func Has(info *types.Info, obj types.Object, code ast.Node) bool {
	return Any(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && info.ObjectOf(id) == obj
	})
}

// Enumerate writes names as a sentence does: "a", "a and b", "a, b and c".
func Enumerate(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Assigned lists the expressions that a statement itself assigns to; those it
// declares are among them.
func Assigned(s ast.Stmt) []ast.Expr {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{s.X}
	case *ast.RangeStmt:
		var out []ast.Expr
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				out = append(out, e)
			}
		}
		return out
	}
	return nil
}

// IsError reports whether a type is error.
func IsError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// IsContext reports whether a type is context.Context.
func IsContext(t types.Type) bool {
	if t == nil {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Context" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}

// SameGeneric reports whether two types are identical but for their type parameters: the receivers of two methods
// of a generic type are, although each method has type parameters of its own, and so are what they are given and
// return, where these have the same parameter at the same place.
func SameGeneric(a, b types.Type) bool {
	if types.Identical(a, b) {
		return true
	}
	switch a := types.Unalias(a).(type) {
	case *types.TypeParam:
		b, ok := types.Unalias(b).(*types.TypeParam)
		return ok && a.Index() == b.Index()
	case *types.Pointer:
		b, ok := types.Unalias(b).(*types.Pointer)
		return ok && SameGeneric(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := types.Unalias(b).(*types.Slice)
		return ok && SameGeneric(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := types.Unalias(b).(*types.Chan)
		return ok && a.Dir() == b.Dir() && SameGeneric(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := types.Unalias(b).(*types.Map)
		return ok && SameGeneric(a.Key(), b.Key()) && SameGeneric(a.Elem(), b.Elem())
	case *types.Signature:
		b, ok := types.Unalias(b).(*types.Signature)
		return ok && a.Variadic() == b.Variadic() && sameGenerics(a.Params(), b.Params()) && sameGenerics(a.Results(), b.Results())
	case *types.Named:
		b, ok := types.Unalias(b).(*types.Named)
		return ok && a.Origin() == b.Origin()
	}
	return false
}

// sameGenerics is SameGeneric for the types of two lists of parameters.
func sameGenerics(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !SameGeneric(a.At(i).Type(), b.At(i).Type()) {
			return false
		}
	}
	return true
}

// Shares reports whether plain copies of a struct share something that may change in its place: a slice
// or map in it, or in a struct in it.
func Shares(t types.Type) bool {
	if t == nil {
		return false
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		switch f.Type().Underlying().(type) {
		case *types.Slice, *types.Map:
			return true
		}
		if Shares(f.Type()) {
			return true
		}
	}
	return false
}

// TellsTime reports whether a function stands for time.Now, as tests bring it: it is given nothing and returns a
// time.Time alone.
func TellsTime(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
		types.TypeString(sig.Results().At(0).Type(), nil) == "time.Time"
}

// NamesOnly reports whether expressions are names and literals only.
func NamesOnly(exprs []ast.Expr) bool {
	for _, e := range exprs {
		switch ast.Unparen(e).(type) {
		case *ast.Ident, *ast.BasicLit:
		default:
			return false
		}
	}
	return true
}

// Owner is the value to which fields belong that are selected of an expression: the expression, or, where
// that is an unnamed struct within a value, such as the mu of "mu struct { sync.Mutex; n int }", that value.
func Owner(info *types.Info, e ast.Expr) ast.Expr {
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok || Field(info, sel) == nil {
			return e
		}
		if _, unnamed := types.Unalias(info.TypeOf(sel)).(*types.Struct); !unnamed {
			return e
		}
		e = sel.X
	}
}

// Below is a field as it is written behind its [Owner] and a dot: "mu.n".
func Below(info *types.Info, field *ast.SelectorExpr) string {
	return strings.TrimPrefix(types.ExprString(field), types.ExprString(Owner(info, field.X))+".")
}
