package program

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// IsFunc reports whether a type is that of functions.
func IsFunc(t types.Type) bool { _, ok := t.Underlying().(*types.Signature); return ok }

// CutKey cuts a key at its last dot: the owner of a field, and the field.
func CutKey(key string) (owner, field string) {
	i := strings.LastIndex(key, ".")
	if i < 0 {
		return "", key
	}
	return key[:i], key[i+1:]
}

// TypeKey is the full name of a type, or of what a pointer leads to.
func TypeKey(t types.Type) string {
	n, ok := types.Unalias(Deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

var LockMethods = []string{"Lock", "Unlock", "RLock", "RUnlock", "TryLock", "TryRLock"}

// An Operation is the selection of a lock's method.
type Operation struct {
	Sel      *ast.SelectorExpr
	Method   string
	Embedded string // fields between the selected value and the lock: ".Mutex"
}

// LockMethod resolves an expression that selects a lock's method.
func LockMethod(info *types.Info, fun ast.Expr) (Operation, bool) {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok || !slices.Contains(LockMethods, sel.Sel.Name) {
		return Operation{}, false
	}
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return Operation{}, false
	}
	f, ok := s.Obj().(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Params().Len() > 0 || f.Pkg().Path() != "sync" && !syntax.InterfaceMethod(f) {
		return Operation{}, false
	}
	return Operation{sel, f.Name(), FieldNames(s.Recv(), s.Index()[:len(s.Index())-1])}, true
}

// FieldNames are the names of fields that an index path goes through, each with a dot.
func FieldNames(t types.Type, index []int) string {
	var names strings.Builder
	for _, i := range index {
		st, ok := Deref(t).Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			break
		}
		names.WriteString("." + st.Field(i).Name())
		t = st.Field(i).Type()
	}
	return names.String()
}

// Deref is what a pointer leads to; of another type the type itself.
func Deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// anyKey is the key of a lock that may be any: a sync.Locker's.
const AnyKey = "*"

// KeyOf is the key of the lock whose method is selected.
func KeyOf(info *types.Info, sel *ast.SelectorExpr) string {
	s := info.Selections[sel]
	if key := LastField(s.Recv(), s.Index()[:len(s.Index())-1]); key != "" {
		return withOwner(info, sel.X, key)
	}
	if types.IsInterface(s.Recv()) {
		return AnyKey
	}
	return ExprKey(info, sel.X)
}

// ExprKey is the key of the variable that an expression names.
func ExprKey(info *types.Info, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return VariableKey(info.ObjectOf(e))
	case *ast.StarExpr:
		return ExprKey(info, e.X)
	case *ast.UnaryExpr:
		return ExprKey(info, e.X)
	case *ast.IndexExpr:
		return ExprKey(info, e.X) + "[]"
	case *ast.SelectorExpr:
		if s := info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
			return withOwner(info, e.X, LastField(s.Recv(), s.Index()))
		}
		return VariableKey(info.ObjectOf(e.Sel))
	}
	return AnyKey
}

// withOwner is the key of a field; of one of a struct type without a name it begins with that
// of the variable which has the type.
func withOwner(info *types.Info, owner ast.Expr, key string) string {
	if key != "" && key[0] != '.' {
		return key
	}
	outer := ExprKey(info, owner)
	if outer == AnyKey {
		return key
	}
	return outer + key
}

// VariableKey is the key of a variable; a local one may point to any lock.
func VariableKey(obj types.Object) string {
	v, ok := obj.(*types.Var)
	if !ok || v.Pkg() == nil {
		return AnyKey
	}
	if v.Parent() == v.Pkg().Scope() {
		return v.Pkg().Path() + "." + v.Name()
	}
	if t := types.Unalias(v.Type()); types.IsInterface(t) || Deref(t) != t {
		return AnyKey
	}
	return v.Pkg().Path() + ":" + v.Name()
}

// isMutex reports whether a type is one of package sync's locks, or a pointer to one.
func isMutex(t types.Type) bool {
	name := types.TypeString(Deref(t), nil)
	return name == "sync.Mutex" || name == "sync.RWMutex"
}

// LastField is the key of the last field on an index path; "" if there is none, or it is a
// lock that a struct type without a name embeds.
func LastField(t types.Type, index []int) string {
	key := ""
	for _, i := range index {
		owner := Deref(t)
		st, ok := owner.Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			return key
		}
		field := st.Field(i)
		t = field.Type()
		n, named := types.Unalias(owner).(*types.Named)
		if named && n.Obj().Pkg() != nil {
			key = n.Obj().Pkg().Path() + "." + n.Obj().Name()
		}
		if !named && field.Embedded() && isMutex(t) {
			continue // the struct without a name is the lock
		}
		key += "." + field.Name()
	}
	return key
}

// NewCond is the argument of sync.NewCond; nil of anything else.
func NewCond(e ast.Expr) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "NewCond" {
		return call.Args[0]
	}
	return nil
}
