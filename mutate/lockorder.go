package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A lock nested in another is a reason against a fix only where two orders can
// meet. The lock-order graph (Havelund, Using Runtime Analysis to Guide Model
// Checking of Java Programs, SPIN 2000; here from the text, not from a run) has
// an edge from each lock to those that are acquired while it is held. Goroutines
// that wait for each other in a ring, each at an acquisition, hold a cycle of it.
//
// Locks are told apart by their keys, so that all instances of a field are one
// lock, and nesting two of them is a cycle. What is proved of a nesting that is
// on no cycle is this: among the sections that the analysis sees, in the whole
// program with its tests, nobody takes these locks in an order that could close
// a ring with it. Not seen are locks that are passed on as a sync.Locker or a
// method value, and functions that are called by packages outside the module.
// Where a lock's section is not plain from the text (irregular), it is taken
// to be held everywhere.

// An order is an acquisition of one lock while another is held, both by key.
type order struct{ held, acquired string }

// A lockOrder is the lock-order graph of a program or a part of it.
type lockOrder struct {
	edges map[order]bool
	// irregular locks may be held in places that the walk does not see: from an
	// inner block, an iteration of a loop or a function on, or after a TryLock.
	irregular map[string]bool
}

func newLockOrder() lockOrder {
	return lockOrder{edges: make(map[order]bool), irregular: make(map[string]bool)}
}

// A programOrder is the lock-order graph of the original: how many declarations
// have each of its edges.
type programOrder struct {
	after     map[string]map[string]int // by the key held, by that acquired
	irregular map[string]int
	calls     []callHeld
}

// order is that of all files, tests too.
func (s *Space) order() *programOrder {
	return s.lockOrder.get(func() *programOrder {
		g := &programOrder{after: make(map[string]map[string]int), irregular: make(map[string]int)}
		for _, pkg := range s.program.Packages {
			for _, f := range pkg.Files {
				if !s.facts.locks(s.program, f) {
					continue
				}
				walk := s.walksOf(s.trees.later(f).nodeIDs())
				for _, o := range walk.orders {
					g.add(o)
				}
				g.calls = append(g.calls, walk.calls...)
			}
		}
		return g
	})
}

func (g *programOrder) add(o lockOrder) {
	for e := range o.edges {
		if g.after[e.held] == nil {
			g.after[e.held] = make(map[string]int)
		}
		g.after[e.held][e.acquired]++
	}
	for key := range o.irregular {
		g.irregular[key]++
	}
}

// A mutantOrder is the lock-order graph of a mutant: the original's without what
// the declarations had that were edited, and with what is new.
type mutantOrder struct {
	of            *programOrder
	goneEdges     map[order]int
	goneIrregular map[string]int
	new           programOrder
}

// orderOf is the lock-order graph of a mutation. edited is the order of the
// declarations that it has touched.
func (m *Mutation) orderOf(edited lockOrder, aq *acquirers) *mutantOrder {
	g := &mutantOrder{
		of: m.space.order(), goneEdges: make(map[order]int), goneIrregular: make(map[string]int),
		new: programOrder{after: make(map[string]map[string]int), irregular: make(map[string]int)},
	}
	g.new.add(edited)
	for _, f := range m.files {
		if !m.space.facts.locks(m.space.program, f.tree.file) {
			continue
		}
		orders := m.space.walksOf(f.tree.nodeIDs).orders
		for decl := range f.clones {
			for e := range orders[decl].edges {
				g.goneEdges[e]++
			}
			for key := range orders[decl].irregular {
				g.goneIrregular[key]++
			}
		}
	}
	for i := range g.of.calls {
		if c := &g.of.calls[i]; m.leaves(c) {
			g.new.add(lockOrder{edges: c.comesTo(aq)})
		}
	}
	return g
}

// comesTo are the edges that a call adds by what was inserted in its callees. One that does
// not name its callee comes to a lock that was inserted, unless it is of an
// interface's method and no method of that name does.
func (c *callHeld) comesTo(aq *acquirers) map[order]bool {
	var edges map[order]bool
	for _, key := range aq.keys {
		if !aq.of(key).has(c.function) && !(c.indirect && aq.mayCome(key, c.function)) {
			continue
		}
		if edges == nil {
			edges = make(map[order]bool)
		}
		for _, h := range c.held {
			edges[order{h.Key, key}] = true
		}
	}
	return edges
}

// onCycle reports whether an edge may be on a cycle.
func (g *mutantOrder) onCycle(o order) bool {
	seen := map[string]bool{}
	work := []string{o.acquired}
	for len(work) > 0 {
		key := work[len(work)-1]
		work = work[:len(work)-1]
		if key == o.held || g.of.irregular[key] > g.goneIrregular[key] || g.new.irregular[key] > 0 {
			return true
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		for acquired, times := range g.of.after[key] {
			if times > g.goneEdges[order{key, acquired}] {
				work = append(work, acquired)
			}
		}
		for acquired := range g.new.after[key] {
			work = append(work, acquired)
		}
	}
	return false
}

// inverts reports whether one of some nestings that a mutation adds may be on a
// cycle of the mutant's lock-order graph.
func (m *Mutation) inverts(nestings map[order]bool, edited lockOrder, aq *acquirers) bool {
	g := m.orderOf(edited, aq)
	for o := range nestings {
		if g.onCycle(o) {
			return true
		}
	}
	return false
}

// Nests reports whether the original acquires a lock while another is held, both
// given by key.
func (fn *Function) Nests(held, acquired string) bool {
	return fn.space.order().after[held][acquired] > 0
}

// nesting is the event of two locks nested in a declaration. It does not tell
// which came first.
func nesting(held, acquired string, decl int) event {
	return event{nests, min(held, acquired), max(held, acquired), decl}
}

// nest notes that a lock is acquired while another is held.
func (w *holdWalk) nest(held heldLock, key, acquired string) {
	ev := nesting(held.Expr, acquired, w.decl)
	w.events[ev] = true
	o := order{held.Key, key}
	w.order.edges[o] = true
	if !slices.Contains(w.nestings[ev], o) {
		w.nestings[ev] = append(w.nestings[ev], o)
	}
}

// indirect reports whether a call does not name what it runs: it is of a function
// value or of an interface's method.
func (w *holdWalk) indirect(call *ast.CallExpr, f *types.Func) bool {
	if f != nil {
		recv := f.Signature().Recv()
		return recv != nil && types.IsInterface(recv.Type())
	}
	if _, literal := ast.Unparen(call.Fun).(*ast.FuncLit); literal {
		return false
	}
	tv := w.of.file.Package.Info.Types[call.Fun]
	return !tv.IsType() && !tv.IsBuiltin()
}

// mayTake notes what a call that does not name its callee may acquire beyond
// what the original's call graph knows: a lock that was inserted, unless the
// call is of an interface's method and no method of that name comes to it.
func (w *holdWalk) mayTake(held []heldLock, method *types.Func) {
	if w.acquirers == nil {
		return
	}
	for _, key := range w.acquirers.keys {
		if !w.acquirers.mayCome(key, method) {
			continue
		}
		for _, h := range held {
			w.order.edges[order{h.Key, key}] = true
		}
	}
}

// escapes notes locks that are held on where the walk loses them: all but those
// held before and those whose release is deferred.
func (w *holdWalk) escapes(held, before []heldLock) {
	for _, h := range held {
		if !h.deferred && !isHeld(before, h.Lock) {
			w.order.irregular[h.Key] = true
		}
	}
}

// tries notes a TryLock, whose outcome the walk does not follow.
func (w *holdWalk) tries(call *ast.CallExpr) {
	if c, ok := w.lockOp(call); ok && strings.HasPrefix(c.method, "Try") {
		w.order.irregular[c.lock.Key] = true
	}
}
