package mutate

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/dave/dst"
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

func (g lockOrder) merge(other lockOrder) {
	maps.Copy(g.edges, other.edges)
	maps.Copy(g.irregular, other.irregular)
}

// onCycle reports whether an edge may be on a cycle.
func (g lockOrder) onCycle(o order) bool {
	seen := map[string]bool{}
	work := []string{o.acquired}
	for len(work) > 0 {
		key := work[len(work)-1]
		work = work[:len(work)-1]
		if key == o.held || g.irregular[key] {
			return true
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		for e := range g.edges {
			if e.held == key {
				work = append(work, e.acquired)
			}
		}
	}
	return false
}

// inverts reports whether one of some nestings that a mutation adds may be on a
// cycle of the mutant's lock-order graph. walked are the orders of the files
// that were examined already.
func (m *Mutation) inverts(nestings map[order]bool, walked map[string]lockOrder, aq *acquirers) bool {
	g := newLockOrder()
	for _, pkg := range m.space.program.Packages {
		for _, f := range pkg.Files {
			if o, ok := walked[f.Rel]; ok {
				g.merge(o)
				continue
			}
			if !m.space.facts.locks(m.space.program, f) {
				continue
			}
			t, err := m.space.trees.of(f.Rel)
			if err != nil {
				return true // what cannot be read may hold the other half of the cycle
			}
			g.merge(m.orderOf(t, aq))
		}
	}
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
	for _, pkg := range fn.Program.Packages {
		for _, f := range pkg.Files {
			if !fn.space.facts.locks(fn.Program, f) {
				continue
			}
			t, err := fn.space.trees.of(f.Rel)
			if err == nil && fn.space.walksOf(t).order.edges[order{held, acquired}] {
				return true
			}
		}
	}
	return false
}

// orderOf is the lock order of a file that the mutation does not touch. Where
// it takes locks, what its callees take is asked anew.
func (m *Mutation) orderOf(t *tree, aq *acquirers) lockOrder {
	if len(aq.keys) == 0 || len(m.space.facts.lockCalls(m.space.program, t)) == 0 {
		return m.space.walksOf(t).order
	}
	v := m.space.originalView(t)
	v.acquirers = aq
	g := newLockOrder()
	for _, d := range v.root.Decls {
		if known, same := v.unchanged(d); same {
			g.merge(known.order)
		} else {
			g.merge(v.walk(d).order)
		}
	}
	return g
}

// nest notes that a lock is acquired while another is held. The event does not
// tell which came first; the order does.
func (w *holdWalk) nest(held heldLock, key, acquired string) {
	ev := event{nests, min(held.Expr, acquired), max(held.Expr, acquired), w.decl}
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
	tv := w.tree.file.Package.Info.Types[call.Fun]
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
func (w *holdWalk) tries(call *dst.CallExpr) {
	if c, ok := w.lockOp(call); ok && strings.HasPrefix(c.method, "Try") {
		w.order.irregular[c.lock.Key] = true
	}
}

// A scope is what was held when the innermost function, loop and statement that
// break leaves were entered.
type scope struct{ function, loop, breakable []heldLock }
