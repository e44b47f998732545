package locks

import (
	"go/ast"
	"slices"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// Locks lists the locks that a function itself may take, or hold by what it
// calls.
func (m *View) Locks(fn *program.Func) []naming.Lock {
	if m.Unaffected(fn) {
		defer m.Original.Unlock()
		return m.Original.Lock().Locks(fn)
	}
	if list, ok := m.locks[fn]; ok || m.inside[fn] {
		return list
	}
	m.inside[fn] = true
	var list []naming.Lock
	add := func(l naming.Lock) {
		if l.Path.Known() && !slices.ContainsFunc(list, func(o naming.Lock) bool { return o.Path == l.Path }) {
			list = append(list, l)
		}
	}
	for _, s := range m.Calls(fn) {
		if op, ok := program.LockMethod(fn.Info(), s.Call.Fun); ok {
			add(m.LockOf(fn, op))
			if !syntax.InterfaceMethod(syntax.Callee(fn.Info(), s.Call.Fun)) {
				continue
			}
		}
		m.locksOfCall(fn, s.Call, add)
	}
	m.locksOfLoops(fn, add)
	delete(m.inside, fn)
	m.locks[fn] = list
	return list
}

// locksOfCall adds the locks that a call leaves held and, where it is given
// functions, those that it may hold while it runs them.
func (m *View) locksOfCall(fn *program.Func, call *ast.CallExpr, add func(naming.Lock)) {
	info := fn.Info()
	runs := slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		t := info.TypeOf(arg)
		return t != nil && program.IsFunc(t)
	})
	for _, to := range m.FuncsOf(fn, call.Fun) {
		for _, l := range m.Locks(to) {
			if !runs && !m.gains(to, l) {
				continue
			}
			if to.Up == fn {
				add(l)
			}
			for _, l := range m.InCaller(fn, call, to, l) {
				add(l)
			}
		}
	}
}

// locksOfLoops adds the locks of the iterators that a function loops over.
func (m *View) locksOfLoops(fn *program.Func, add func(naming.Lock)) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			t := fn.Info().TypeOf(n.X)
			call, ok := ast.Unparen(n.X).(*ast.CallExpr)
			if t == nil || !program.IsFunc(t) {
				return true
			}
			if !ok {
				call = &ast.CallExpr{Fun: n.X}
			}
			for _, to := range m.FuncsOf(fn, call.Fun) {
				for _, inner := range append([]*program.Func{to}, to.Lits...) {
					for _, l := range m.Locks(inner) {
						for _, l := range m.InCaller(fn, call, to, l) {
							add(l)
						}
					}
				}
			}
		}
		return true
	})
}

// gains reports whether a function that is entered without a lock may return with it held.
func (m *View) gains(fn *program.Func, l naming.Lock) bool {
	in := &frame{m: m, fn: fn, on: subject{l.Key, []naming.Path{l.Path}}}
	for o := range m.summary(in, entry{}).outs {
		if o.entry != (entry{}) {
			return true
		}
	}
	return false
}

// frame is the analysis of a function for one of its locks.
func (m *View) frame(fn *program.Func, l naming.Lock) *frame {
	return &frame{m: m, fn: fn, on: subject{l.Key, []naming.Path{l.Path}}}
}
