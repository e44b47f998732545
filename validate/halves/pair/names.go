package pair

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
)

// A Field is one of a type.
type Field struct{ Owner, Name string }

// FieldOf identifies a field of a type.
func FieldOf(info *types.Info, e ast.Expr) (Field, bool) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || info.Selections[sel] == nil {
		return Field{}, false
	}
	recv := info.Selections[sel].Recv()
	if p, ok := recv.Underlying().(*types.Pointer); ok {
		recv = p.Elem()
	}
	return Field{types.TypeString(recv, nil), sel.Sel.Name}, true
}

// ReceiverOf is the type of a method's receiver; "": it is none.
func ReceiverOf(fn *Function) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	return strings.TrimPrefix(types.TypeString(fn.Info().TypeOf(fn.Recv.List[0].Type), nil), "*")
}

// RootVar is the variable that an expression begins with; nil: it begins with none.
func RootVar(fn *Function, e ast.Expr) types.Object {
	if id := syntax.Root(e); id != nil {
		return fn.Info().ObjectOf(id)
	}
	return nil
}
