package locks

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An argument is what a call gives a parameter or the receiver.
type argument struct {
	as   Path // the callee's variable
	obj  types.Object
	path Path // as the caller names it
	expr ast.Expr
}

// given lists what a call gives a function, as far as it has names for it.
func (m *Names) given(fn *Func, call *ast.CallExpr, to *Func) []argument {
	key := gift{call.Fun, call.Lparen, to}
	list, known := m.gifts[key]
	if !known {
		list = m.findGiven(fn, call, to)
		m.gifts[key] = list
	}
	return list
}

// A gift is a call with one of the functions that it may run. A call that is not
// in the source has no parenthesis and no arguments.
type gift struct {
	fun    ast.Expr
	lparen token.Pos
	to     *Func
}

func (m *Names) findGiven(fn *Func, call *ast.CallExpr, to *Func) []argument {
	var list []argument
	add := func(obj types.Object, e ast.Expr, embedded string) {
		if obj != nil && obj.Name() != "_" && !m.localsOf(to).assigned[obj] {
			list = append(list, argument{Path{Root: obj}, obj, m.path(fn, e).with(embedded), e})
		}
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && to.recv != nil {
		if s := fn.info().Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			add(to.recv, sel.X, fieldNames(s.Recv(), s.Index()[:len(s.Index())-1]))
		} else if s != nil && s.Kind() == types.MethodExpr && len(args) > 0 {
			add(to.recv, args[0], "")
			args = args[1:]
		}
	}
	for i, p := range to.params {
		if i < len(args) {
			add(p, args[i], "")
		}
	}
	return list
}
