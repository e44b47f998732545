package locks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// locksOf lists the locks that a function itself may take, or hold by what it
// calls.
func (m *View) locksOf(fn *Func) []Lock {
	if m.unaffected(fn) {
		defer m.original.Unlock()
		return m.original.Lock().locksOf(fn)
	}
	if list, ok := m.locks[fn]; ok || m.inside[fn] {
		return list
	}
	m.inside[fn] = true
	var list []Lock
	add := func(l Lock) {
		if l.Path.known() && !slices.ContainsFunc(list, func(o Lock) bool { return o.Path == l.Path }) {
			list = append(list, l)
		}
	}
	for _, s := range m.callsOf(fn) {
		if op, ok := lockMethod(fn.info(), s.call.Fun); ok {
			add(m.lockOf(fn, op))
			if !syntax.InterfaceMethod(syntax.Callee(fn.info(), s.call.Fun)) {
				continue
			}
		}
		m.locksOfCall(fn, s.call, add)
	}
	m.locksOfLoops(fn, add)
	delete(m.inside, fn)
	m.locks[fn] = list
	return list
}

// lockOf is the lock whose method a function selects.
func (m *Names) lockOf(fn *Func, op operation) Lock {
	_, index, _ := types.LookupFieldOrMethod(fn.info().TypeOf(op.sel.X), true, fn.File.Package.Types, "RLock")
	return Lock{
		RW:   len(index) > 0,
		Path: m.path(fn, op.sel.X).with(op.embedded),
		Key:  keyOf(fn.info(), op.sel),
		Expr: types.ExprString(op.sel.X),
		Call: op.sel,
	}
}

func (m *Program) callsOf(fn *Func) []site {
	if m.ready().byNode[fn.Node] == nil && m.base != nil {
		return m.base.callsOf(fn)
	}
	return m.ready().calls[fn]
}

// locksOfCall adds the locks that a call leaves held and, where it is given
// functions, those that it may hold while it runs them.
func (m *View) locksOfCall(fn *Func, call *ast.CallExpr, add func(Lock)) {
	info := fn.info()
	runs := slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		t := info.TypeOf(arg)
		return t != nil && isFunc(t)
	})
	for _, to := range m.named(fn, call.Fun) {
		for _, l := range m.locksOf(to) {
			if !runs && !m.gains(to, l) {
				continue
			}
			if to.Up == fn {
				add(l)
			}
			for _, l := range m.inCaller(fn, call, to, l) {
				add(l)
			}
		}
	}
}

// locksOfLoops adds the locks of the iterators that a function loops over.
func (m *View) locksOfLoops(fn *Func, add func(Lock)) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			t := fn.info().TypeOf(n.X)
			call, ok := ast.Unparen(n.X).(*ast.CallExpr)
			if t == nil || !isFunc(t) {
				return true
			}
			if !ok {
				call = &ast.CallExpr{Fun: n.X}
			}
			for _, to := range m.named(fn, call.Fun) {
				for _, inner := range append([]*Func{to}, to.lits...) {
					for _, l := range m.locksOf(inner) {
						for _, l := range m.inCaller(fn, call, to, l) {
							add(l)
						}
					}
				}
			}
		}
		return true
	})
}

// named is the function that an expression names, or the literal that it is or
// that a local variable is.
func (m *Names) named(fn *Func, fun ast.Expr) []*Func {
	fun = ast.Unparen(fun)
	if id, ok := fun.(*ast.Ident); ok {
		if value := m.localsOf(fn).alias[fn.info().ObjectOf(id)]; value != nil {
			fun = ast.Unparen(value)
		}
	}
	switch fun := fun.(type) {
	case *ast.FuncLit:
		if lit := m.Of(fun); lit != nil {
			return []*Func{lit}
		}
	case *ast.CallExpr: // what a function returns
		var list []*Func
		for _, to := range m.named(fn, fun.Fun) {
			list = append(list, to.lits...)
		}
		return list
	default:
		if f := syntax.Callee(fn.info(), fun); f != nil {
			if to := m.declared(f); to != nil {
				return []*Func{to}
			}
		}
	}
	return nil
}

// inCaller are a callee's locks as the caller can name them.
func (m *Names) inCaller(fn *Func, call *ast.CallExpr, to *Func, l Lock) []Lock {
	if l.Path.Root == nil {
		l.Call = helper(call)
		return []Lock{l}
	}
	var list []Lock
	args := m.given(fn, call, to)
	for _, a := range args {
		if rest, ok := l.Path.below(a.as); ok && a.path.known() {
			p := a.path.with(rest)
			for _, b := range args {
				if b.path.known() {
					p.Text = strings.ReplaceAll(p.Text, "["+b.as.id()+"]", "["+b.path.id()+"]")
				}
			}
			if !p.known() {
				continue
			}
			list = append(list, Lock{Path: p, Key: l.Key, Expr: p.String(), RW: l.RW, Call: helper(call)})
		}
	}
	return list
}

// helper is the method of a call that has the name of a lock's method.
func helper(call *ast.CallExpr) *ast.SelectorExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !slices.Contains(lockMethods, sel.Sel.Name) {
		return nil
	}
	return sel
}

// gains reports whether a function that is entered without a lock may return with it held.
func (m *View) gains(fn *Func, l Lock) bool {
	in := &frame{m: m, fn: fn, on: subject{l.Key, []Path{l.Path}}}
	for o := range m.summary(in, entry{}).outs {
		if o.entry != (entry{}) {
			return true
		}
	}
	return false
}

// frame is the analysis of a function for one of its locks.
func (m *View) frame(fn *Func, l Lock) *frame {
	return &frame{m: m, fn: fn, on: subject{l.Key, []Path{l.Path}}}
}
