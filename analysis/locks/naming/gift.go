package naming

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/locks/program"
)

// An Argument is what a call gives a parameter or the receiver.
type Argument struct {
	As   Path // the callee's variable
	Obj  types.Object
	Path Path // as the caller names it
	Expr ast.Expr
}

// Given lists what a call gives a function, as far as it has names for it.
func (m *Names) Given(fn *program.Func, call *ast.CallExpr, to *program.Func) []Argument {
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
	to     *program.Func
}

func (m *Names) findGiven(fn *program.Func, call *ast.CallExpr, to *program.Func) []Argument {
	var list []Argument
	add := func(obj types.Object, e ast.Expr, embedded string) {
		if obj != nil && obj.Name() != "_" && !m.LocalsOf(to).Assigned[obj] {
			list = append(list, Argument{Path{Root: obj}, obj, m.PathOf(fn, e).With(embedded), e})
		}
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && to.Recv != nil {
		if s := fn.Info().Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			add(to.Recv, sel.X, program.FieldNames(s.Recv(), s.Index()[:len(s.Index())-1]))
		} else if s != nil && s.Kind() == types.MethodExpr && len(args) > 0 {
			add(to.Recv, args[0], "")
			args = args[1:]
		}
	}
	for i, p := range to.Params {
		if i < len(args) {
			add(p, args[i], "")
		}
	}
	return list
}
