package owned

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// published is where in a function's text a variable's value may first become known to
// others: where it is done more to than to select from it, or where a method is called that
// gives it to a goroutine.
func published(m *locks.View, fn *program.Func, v types.Object) token.Pos {
	first, known := tables.Of(m).known[v]
	if known {
		return first
	}
	body := fn.Decl.Body
	if slices.Contains(fn.Params, v) {
		body = fn.Body // a literal's parameter does not outlive it
	}
	first = body.End()
	syntax.Walk(body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || id.Pos() >= first || fn.Info().Uses[id] != v || len(path) == 0 {
			return
		}
		if slices.ContainsFunc(path, later) || handsOn(m, fn, id, path) {
			first = id.Pos() + 1
			if loop := analysis.OuterLoop(body, id.Pos(), v.Pos()); loop.IsValid() {
				first = loop
			}
		}
	})
	tables.Of(m).known[v] = first
	return first
}

// later reports whether what is in a node runs at another time than what is around it.
func later(n ast.Node) bool {
	switch n.(type) {
	case *ast.GoStmt, *ast.FuncLit:
		return true
	}
	return false
}

// handsOn reports whether the use of a variable at the end of a path may make its value known
// to others: it is more than to select a field, or to call a function of the program that
// does not share what it is given.
func handsOn(m *locks.View, fn *program.Func, id *ast.Ident, path []ast.Node) bool {
	last := path[len(path)-1]
	sel, ok := last.(*ast.SelectorExpr)
	if ok {
		s := fn.Info().Selections[sel]
		if s == nil || s.Kind() != types.MethodVal {
			return false
		}
		if len(path) == 1 {
			return true
		}
		last = path[len(path)-2]
	}
	call, ok := last.(*ast.CallExpr)
	if !ok || sel != nil && call.Fun != sel {
		return true
	}
	if sel != nil {
		method, ok := fn.Info().Selections[sel].Obj().(*types.Func)
		return ok && shares(m, m.Declared(method.Origin()), nil)
	}
	return givesAway(m, fn, call, slices.IndexFunc(call.Args, func(e ast.Expr) bool { return e == ast.Expr(id) }))
}

// givesAway reports whether a call may make an argument known to others.
func givesAway(m *locks.View, fn *program.Func, call *ast.CallExpr, i int) bool {
	var run []*program.Func
	f := syntax.Callee(fn.Info(), call.Fun)
	switch {
	case f == nil:
		run = literalsOf(m, fn.Info().TypeOf(call.Fun))
	case syntax.InterfaceMethod(f):
		run = m.MethodsOf(call)
	default:
		if to := m.Declared(f); to != nil {
			run = []*program.Func{to}
		}
	}
	return i < 0 || len(run) == 0 || slices.ContainsFunc(run, func(to *program.Func) bool {
		return i >= len(to.Params) || to.Params[i] != nil && shares(m, to, to.Params[i])
	})
}

// shares reports whether a function makes the value of a parameter, or of its receiver where
// it is nil, known to others.
func shares(m *locks.View, fn *program.Func, v types.Object) bool {
	if fn == nil {
		return false
	}
	if v == nil {
		v = fn.Recv
	}
	shared, known := tables.Of(m).sharing[v]
	if known || v == nil {
		return shared
	}
	tables.Of(m).sharing[v] = false // while it is asked: who calls itself shares no more by that
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if shared || !ok || fn.Info().Uses[id] != v {
			return
		}
		_, returned := path[len(path)-1].(*ast.ReturnStmt)
		shared = m.StartedIn(path) || !returned && handsOn(m, fn, id, path)
	})
	tables.Of(m).sharing[v] = shared
	return shared
}
