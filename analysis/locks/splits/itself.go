package splits

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
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
//
// A method of the element may do so.

// removesItself reports whether a write removes an element of what was read, which says so
// under its own lock.
func removesItself(m *locks.View, r, w Step) bool {
	if !onlyRemoves(m, w) {
		return false
	}
	t := &taint{info: r.In.Info(), read: r.At, vars: make(map[types.Object]bool)}
	asked := false
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		t.follow(n)
		if e, ok := n.(ast.Expr); ok && e == w.At {
			asked = asked || asksElement(m, w, t, path) || asksOfItself(m, w, t)
		}
	})
	return asked
}

// asksOfItself reports whether what is called is a method of an element of what was read, which asks the element
// under its own lock, and removes it with that held.
func asksOfItself(m *locks.View, w Step, t *taint) bool {
	call, ok := w.At.(*ast.CallExpr)
	if !ok || w.Call == nil {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !syntax.Any(sel.X, func(n ast.Node) bool { id, ok := n.(*ast.Ident); return ok && t.vars[t.info.ObjectOf(id)] }) {
		return false
	}
	decl, ok := w.Call.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return false
	}
	self := w.Call.Info().Defs[decl.Recv.List[0].Names[0]]
	for _, f := range m.Flows(w.Call) {
		if f.Lock.Path.Root != self || f.Lock.Path.Text == "" {
			continue
		}
		held := func(n ast.Node) bool {
			at := m.NodeOf(w.Call, n)
			h, _ := f.At(at)
			return at != nil && h.Always
		}
		removes := func(s Step) bool { return s.Write && s.Key == w.Key && held(s.At) }
		asks := func(n ast.Node) bool {
			return slices.ContainsFunc(conditions(n), func(c ast.Node) bool { return syntax.Names(w.Call.Info(), c, self) && held(c) })
		}
		if slices.ContainsFunc(Steps(m, w.Call), removes) && syntax.Any(decl.Body, asks) {
			return true
		}
	}
	return false
}

// asksElement reports whether a condition on the path to a write is about an element of what
// was read, and the element's lock is held there and at the write.
func asksElement(m *locks.View, w Step, t *taint, path []ast.Node) bool {
	for _, f := range m.Flows(w.In) {
		root := f.Lock.Path.Root
		if root == nil || !t.vars[root] || f.Lock.Path.Text == "" {
			continue
		}
		held := func(n ast.Node) bool {
			at := m.NodeOf(w.In, n)
			h, _ := f.At(at)
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
func onlyRemoves(m *locks.View, w Step) bool {
	if w.Call == nil {
		return deletes(w.In, w.At)
	}
	some := false
	for to := range m.Running(w.Call) {
		for _, u := range UsesOf(m, to) {
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
func deletes(fn *program.Func, e ast.Expr) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && syntax.Builtin(fn.Info(), call) == "delete" && ast.Unparen(call.Args[0]) == e
	})
}
