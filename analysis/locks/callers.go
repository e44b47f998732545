package locks

import "go/ast"

// HeldInCall reports whether a lock of which is says so is held each time that
// a call of a function leads to a statement of it: by the function itself, by what it
// calls, or by the caller. What the callers of that hold is left out. Flags that the
// call gives as constants are understood.
func (of *Model) HeldInCall(from *Func, call *ast.CallExpr, fn *Func, s ast.Stmt, is func(Lock) bool) bool {
	m := of.Lock()
	defer of.Unlock()
	at := site{from, call}
	if m.deferred(at) {
		return false
	}
	for _, l := range m.locksOf(fn) {
		if !is(l) {
			continue
		}
		for _, named := range m.inCaller(from, call, fn, l) {
			if m.heldInCall(at, fn, s, named) {
				return true
			}
		}
	}
	return false
}

// heldInCall is HeldInCall for a lock as the caller knows it.
func (m *View) heldInCall(at site, fn *Func, s ast.Stmt, l Lock) bool {
	ways := []entry{{}}
	for _, f := range m.flowsOf(at.in) {
		if f.lock.Path == l.Path {
			ways = nil
			for _, way := range f.before[m.nodeOf(at.in, at.call)] {
				ways = append(ways, way.entry())
			}
		}
	}
	fr, found := m.frame(at.in, l), false
	for _, c := range fr.callables(at.call.Fun, maxAliases) {
		if c.fn != fn {
			continue
		}
		in, _ := fr.inner(at.call, c)
		in.before = make(map[ast.Node]state)
		in.run(ways...)
		for _, way := range in.before[m.graph(fn).node(s)] {
			if way.entry() == (entry{}) {
				return false
			}
		}
		found = true
	}
	return found
}
