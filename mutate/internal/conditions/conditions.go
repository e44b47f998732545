package conditions

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/methodcalls"
)

// A Call is a call of a method of a sync.Cond.
type Call struct {
	Expr   *ast.CallExpr
	Method string           // "Wait", "Signal" or "Broadcast"
	Cond   *types.Var       // what it is called on; nil: the result of a call or the like
	On     ast.Expr         // the same as it is written
	At     mutate.Statement // the innermost statement around the call
}

// Calls lists the calls that a function makes itself, in source order.
func Calls(fn *mutate.Function) []Call {
	statements := fn.Statements()
	var out []Call
	for call, sel := range methodcalls.Of(fn, "*sync.Cond") {
		out = append(out, Call{
			Expr: call, Method: sel.Sel.Name, Cond: variable(fn.File.Package.Info, sel), On: sel.X,
			At: mutate.Innermost(statements, call),
		})
	}
	return out
}

// variable is the condition variable that a method is selected from: the
// field or variable named last, an embedded field included.
func variable(info *types.Info, sel *ast.SelectorExpr) *types.Var {
	if s := info.Selections[sel]; s != nil && len(s.Index()) > 1 {
		return embedded(s)
	}
	if v := syntax.Variable(info, sel.X); v != nil {
		return v.Origin()
	}
	return nil
}

// embedded is the last of the embedded fields that a method is promoted through.
func embedded(s *types.Selection) *types.Var {
	var field *types.Var
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		field = st.Field(i)
		t = field.Type()
	}
	return field.Origin()
}
