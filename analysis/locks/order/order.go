package order

import (
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// An Edge says that a lock is taken while another is held.
type Edge struct {
	Held, Taken string // keys
	In          *program.Func
	At          ast.Node
}

// Edges lists the edges of the program's order of locks, in the order of its functions,
// those of tests left out. Of a lock that another value has with the same key there is
// an edge from the key to itself.
func Edges(of *locks.Model) []Edge {
	m := of.Lock()
	defer of.Unlock()
	return List(m)
}

// List lists all edges.
func List(m *locks.View) []Edge {
	if tables.Of(m).edges != nil {
		return tables.Of(m).edges
	}
	edges := []Edge{}
	for _, fn := range m.Shipped() {
		for _, s := range m.Calls(fn) {
			edges = append(edges, edgesAt(m, fn, s)...)
		}
	}
	tables.Of(m).edges = edges
	return edges
}

func edgesAt(m *locks.View, fn *program.Func, s program.Site) []Edge {
	if m.Deferred(s) {
		return nil
	}
	var edges []Edge
	add := func(o order) {
		e := Edge{o.held, o.taken, fn, s.Call}
		if o.held != program.AnyKey && o.taken != program.AnyKey && o.taken != anyFunction && !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	op, isLock := program.LockMethod(fn.Info(), s.Call.Fun)
	if isLock && (op.Method == "Lock" || op.Method == "RLock") && gathers(m, fn, s.Call, op) {
		key := m.LockOf(fn, op).Key
		add(order{held: key, taken: key})
	}
	nested(m, fn, s, func(o order) {
		if o.taken != o.held || isLock { // what is called may be given the same lock
			add(o)
		}
	})
	return edges
}

// Takes are the keys of the locks that a function takes, or what it calls.
func Takes(m *locks.View, fn *program.Func) map[string]bool {
	if m.Unaffected(fn) {
		defer m.Original.Unlock()
		return Takes(m.Original.Lock(), fn)
	}
	found, known := tables.Of(m).taking[fn]
	if known {
		return found
	}
	found = make(map[string]bool)
	tables.Of(m).taking[fn] = found
	seen := map[*program.Func]bool{fn: true}
	for work := []*program.Func{fn}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range m.Calls(last) {
			if op, ok := program.LockMethod(last.Info(), s.Call.Fun); ok {
				if op.Method == "Lock" || op.Method == "RLock" {
					found[orderKey(m, last, m.LockOf(last, op))] = true
				}
				continue
			}
			for _, to := range m.Targets(last, s) {
				_, known := tables.Of(m).taking[to]
				switch {
				case seen[to]:
				case known, m.Unaffected(to):
					maps.Copy(found, Takes(m, to))
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
func gathers(m *locks.View, fn *program.Func, call *ast.CallExpr, op program.Operation) bool {
	found := false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return
		}
		release, ok := program.LockMethod(fn.Info(), d.Call.Fun)
		if !ok || m.PathOf(fn, release.Sel.X).With(release.Embedded) != m.PathOf(fn, op.Sel.X).With(op.Embedded) {
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

// Rings are the keys of locks that are taken in a circle: pairs of which each may be taken
// while the other is held, directly or by way of others.
func Rings(edges []Edge) map[[2]string]bool {
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
