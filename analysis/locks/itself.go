package locks

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// A section is not split where the elements of what it reads are asked one by one, each under
// its own lock, and the later section only removes those that say so, with that lock held:
//
//	mu.RLock()
//	all := slices.Collect(maps.Values(byID))
//	mu.RUnlock()
//	for _, s := range all {
//		s.mu.Lock()
//		if s.old() {
//			remove(s.id) // locks mu
//		}
//		s.mu.Unlock()
//	}

// removesItself reports whether a write removes an element of what was read, which says so
// under its own lock.
func (m *View) removesItself(r, w step) bool {
	if !m.onlyRemoves(w) {
		return false
	}
	t := &taint{info: r.In.info(), read: r.At, vars: make(map[types.Object]bool)}
	asked := false
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		t.follow(n)
		if e, ok := n.(ast.Expr); ok && e == w.At {
			asked = asked || m.asksElement(w, t, path)
		}
	})
	return asked
}

// asksElement reports whether a condition on the path to a write is about an element of what
// was read, and the element's lock is held there and at the write.
func (m *View) asksElement(w step, t *taint, path []ast.Node) bool {
	for _, f := range m.flowsOf(w.In) {
		root := f.lock.Path.Root
		if root == nil || !t.vars[root] || f.lock.Path.Text == "" {
			continue
		}
		held := func(n ast.Node) bool {
			at := m.nodeOf(w.In, n)
			h, _ := f.at(at)
			return at != nil && h.Always
		}
		about := func(cond ast.Node) bool { return syntax.Names(t.info, cond, root) && held(cond) }
		if held(w.At) && slices.ContainsFunc(path, func(n ast.Node) bool { return slices.ContainsFunc(conditions(n), about) }) {
			return true
		}
	}
	return false
}

// onlyRemoves reports whether a write, or all that a call comes to, deletes an element of a map.
func (m *View) onlyRemoves(w step) bool {
	if w.call == nil {
		return deletes(w.In, w.At)
	}
	some := false
	for to := range m.running(w.call) {
		for _, u := range m.usesOf(to) {
			if !u.Write || u.Key != w.Key {
				continue
			}
			if !deletes(to, u.At) {
				return false
			}
			some = true
		}
	}
	return some
}

// deletes reports whether an expression is the map that a call of delete changes.
func deletes(fn *Func, e ast.Expr) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(fn.info(), call) == "delete" && ast.Unparen(call.Args[0]) == e
	})
}
