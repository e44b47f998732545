package locks

import (
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis/syntax"
)

// An Edge says that a lock is taken while another is held.
type Edge struct {
	Held, Taken string // keys
	In          *Func
	At          ast.Node
}

// Order lists the edges of the program's order of locks, in the order of its functions,
// those of tests left out. Of a lock that another value has with the same key there is
// an edge from the key to itself.
func (of *Model) Order() []Edge {
	m := of.Lock()
	defer of.Unlock()
	return m.allEdges()
}

func (m *View) allEdges() []Edge {
	if m.edges != nil {
		return m.edges
	}
	edges := []Edge{}
	for _, fn := range m.shipped() {
		for _, s := range m.callsOf(fn) {
			edges = append(edges, m.edgesAt(fn, s)...)
		}
	}
	m.edges = edges
	return edges
}

func (m *View) edgesAt(fn *Func, s site) []Edge {
	if m.deferred(s) {
		return nil
	}
	var edges []Edge
	add := func(o order) {
		e := Edge{o.held, o.taken, fn, s.call}
		if o.held != anyKey && o.taken != anyKey && o.taken != anyFunction && !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	op, isLock := lockMethod(fn.info(), s.call.Fun)
	if isLock && (op.method == "Lock" || op.method == "RLock") && m.gathers(fn, s.call, op) {
		key := m.lockOf(fn, op).Key
		add(order{held: key, taken: key})
	}
	m.nested(fn, s, func(o order) {
		if o.taken != o.held || isLock { // what is called may be given the same lock
			add(o)
		}
	})
	return edges
}

// targets are the functions that a call may run.
func (m *Names) targets(fn *Func, s site) []*Func {
	if to := m.calledBy(s); to != nil {
		return []*Func{to}
	}
	var list []*Func
	f := syntax.Callee(fn.info(), s.call.Fun)
	if f == nil { // a variable that is always one function
		return slices.DeleteFunc(m.named(fn, s.call.Fun), func(to *Func) bool { return to.Up != nil })
	}
	if !syntax.InterfaceMethod(f) {
		return nil
	}
	for _, name := range m.implementations(fn, s.call.Fun) {
		if to := m.Named(name); to != nil && !to.File.Test {
			list = append(list, to)
		}
	}
	return list
}

// takes are the keys of the locks that a function takes, or what it calls.
func (m *View) takes(fn *Func) map[string]bool {
	if m.unaffected(fn) {
		defer m.original.Unlock()
		return m.original.Lock().takes(fn)
	}
	found, known := m.taking[fn]
	if known {
		return found
	}
	found = make(map[string]bool)
	m.taking[fn] = found
	seen := map[*Func]bool{fn: true}
	for work := []*Func{fn}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range m.callsOf(last) {
			if op, ok := lockMethod(last.info(), s.call.Fun); ok {
				if op.method == "Lock" || op.method == "RLock" {
					found[m.orderKey(last, m.lockOf(last, op))] = true
				}
				continue
			}
			for _, to := range m.targets(last, s) {
				_, known := m.taking[to]
				switch {
				case seen[to]:
				case known, m.unaffected(to):
					maps.Copy(found, m.takes(to))
				default:
					work = append(work, to)
				}
				seen[to] = true
			}
		}
	}
	return found
}

// gathers reports whether an acquisition is in a loop and its release is deferred there: the
// loop takes the locks of several values.
func (m *View) gathers(fn *Func, call *ast.CallExpr, op operation) bool {
	found := false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return
		}
		release, ok := lockMethod(fn.info(), d.Call.Fun)
		if !ok || m.path(fn, release.sel.X).with(release.embedded) != m.path(fn, op.sel.X).with(op.embedded) {
			return
		}
		for _, up := range path {
			switch up.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				found = found || up.Pos() <= call.Pos() && call.End() <= up.End()
			}
		}
	})
	return found
}

// rings are the keys of locks that are taken in a circle: pairs of which each may be taken
// while the other is held, directly or by way of others.
func rings(edges []Edge) map[[2]string]bool {
	reach := make(map[string]map[string]bool)
	for _, e := range edges {
		if reach[e.Held] == nil {
			reach[e.Held] = make(map[string]bool)
		}
		reach[e.Held][e.Taken] = true
	}
	for changed := true; changed; {
		changed = false
		for _, next := range reach {
			for _, mid := range slices.Sorted(maps.Keys(next)) {
				for to := range reach[mid] {
					if !next[to] {
						next[to], changed = true, true
					}
				}
			}
		}
	}
	found := make(map[[2]string]bool)
	for _, e := range edges {
		if e.Held != e.Taken && reach[e.Taken][e.Held] {
			found[[2]string{e.Held, e.Taken}] = true
		}
	}
	return found
}
