package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// published is where in a function's text a variable's value may first become known to
// others: where it is done more to than to select from it, or where a method is called that
// gives it to a goroutine.
func (m *View) published(fn *Func, v types.Object) token.Pos {
	first, known := m.known[v]
	if known {
		return first
	}
	body := fn.Decl.Body
	if slices.Contains(fn.params, v) {
		body = fn.Body // a literal's parameter does not outlive it
	}
	first = body.End()
	syntax.Walk(body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || id.Pos() >= first || fn.info().Uses[id] != v || len(path) == 0 {
			return
		}
		if slices.ContainsFunc(path, later) || m.handsOn(fn, id, path) {
			first = id.Pos() + 1
		}
	})
	m.known[v] = first
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
func (m *View) handsOn(fn *Func, id *ast.Ident, path []ast.Node) bool {
	last := path[len(path)-1]
	sel, ok := last.(*ast.SelectorExpr)
	if ok {
		s := fn.info().Selections[sel]
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
		method, ok := fn.info().Selections[sel].Obj().(*types.Func)
		return ok && m.shares(m.declared(method.Origin()), nil)
	}
	return m.givesAway(fn, call, slices.IndexFunc(call.Args, func(e ast.Expr) bool { return e == ast.Expr(id) }))
}

// givesAway reports whether a call may make an argument known to others.
func (m *View) givesAway(fn *Func, call *ast.CallExpr, i int) bool {
	var run []*Func
	f := syntax.Callee(fn.info(), call.Fun)
	switch {
	case f == nil:
		run = m.literalsOf(fn.info().TypeOf(call.Fun))
	case syntax.InterfaceMethod(f):
		run = m.methodsOf(call)
	default:
		if to := m.declared(f); to != nil {
			run = []*Func{to}
		}
	}
	return i < 0 || len(run) == 0 || slices.ContainsFunc(run, func(to *Func) bool {
		return i >= len(to.params) || to.params[i] != nil && m.shares(to, to.params[i])
	})
}

// shares reports whether a function makes the value of a parameter, or of its receiver where
// it is nil, known to others.
func (m *View) shares(fn *Func, v types.Object) bool {
	if fn == nil {
		return false
	}
	if v == nil {
		v = fn.recv
	}
	shared, known := m.sharing[v]
	if known || v == nil {
		return shared
	}
	m.sharing[v] = false // while it is asked: who calls itself shares no more by that
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if shared || !ok || fn.info().Uses[id] != v {
			return
		}
		_, returned := path[len(path)-1].(*ast.ReturnStmt)
		shared = m.startedIn(path) || !returned && m.handsOn(fn, id, path)
	})
	m.sharing[v] = shared
	return shared
}

// startedIn reports whether what is at the end of a path runs in a goroutine of its own.
func (m *Program) startedIn(path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return true
		case *ast.FuncLit:
			return m.startedAt(m.Of(n))
		}
		return false
	})
}
