package mutate

import (
	"go/types"
	"slices"

	"github.com/dave/dst"
)

// A callHeld is a call of the original that is made while locks are held.
// Where a mutant leaves its declaration as it is, what the call adds to what
// happens under these locks is all that may be new there.
type callHeld struct {
	tree     *tree
	decl     int // index in the tree's declarations
	node     int // NodeID of the call
	function *types.Func
	indirect bool       // what runs is known when the program does: function is an interface's method or nil
	held     []heldLock // not to be changed
	given    []heldLock // those that the callee gets at
}

// noteCall notes a call of the original. The walk comes to a loop's calls twice.
func (w *holdWalk) noteCall(call *dst.CallExpr, f *types.Func, indirect bool, held []heldLock) {
	c := callHeld{node: w.id(call), function: f, indirect: indirect, held: held}
	for _, h := range held {
		if w.reaches(call, h.Lock) {
			c.given = append(c.given, h)
		}
	}
	w.calls = append(w.calls, c)
}

// callsHeld are the calls of a program under locks.
type callsHeld struct {
	edited []callHeld            // in the files that may be edited
	given  map[string][]callHeld // of these, by the key of a lock that the callee gets at
}

// callsHeld finds the calls under locks in the files that may be edited.
func (s *Space) callsHeld() *callsHeld {
	return s.underLock.get(func() *callsHeld {
		found := &callsHeld{given: make(map[string][]callHeld)}
		for _, name := range s.fileNames {
			if !s.locks(name) {
				continue
			}
			t, err := s.trees.of(name)
			if err != nil {
				continue
			}
			for _, c := range s.walksOf(t).calls {
				found.edited = append(found.edited, c)
				for i, h := range c.given {
					if !slices.ContainsFunc(c.given[:i], func(o heldLock) bool { return o.Key == h.Key }) {
						found.given[h.Key] = append(found.given[h.Key], c)
					}
				}
			}
		}
		return found
	})
}

// leaves reports whether the mutation leaves the call's declaration as it is.
func (m *Mutation) leaves(c *callHeld) bool {
	f := m.files[c.tree.file.Rel]
	return f == nil || f.clones[c.decl] == nil
}

// relockedByCallers finds a lock that a declaration which the mutation leaves as it is
// holds where a call comes to take it now; "" if there is none.
func (m *Mutation) relockedByCallers(aq *acquirers) string {
	for _, key := range aq.keys {
		calls := m.space.callsHeld().given[key]
		for i := range calls {
			c := &calls[i]
			if !aq.of(key).has(c.function) || !m.leaves(c) {
				continue
			}
			for _, h := range c.given {
				if h.Key == key && !m.space.walksOf(c.tree).events[event{relocks, h.Expr, key, c.node}] {
					return h.Expr
				}
			}
		}
	}
	return ""
}

// nestedByCallers adds the orders of the locks that such declarations hold and those
// that their calls come to take now, as far as they are new there.
func (m *Mutation) nestedByCallers(aq *acquirers, nestings map[order]bool) {
	for _, key := range aq.keys {
		calls := m.space.callsHeld().edited
		for i := range calls {
			c := &calls[i]
			if !aq.of(key).has(c.function) || !m.leaves(c) {
				continue
			}
			before := m.space.walksOf(c.tree).events
			for _, h := range c.held {
				if !before[nesting(h.Expr, key, c.tree.decls[c.decl])] {
					nestings[order{h.Key, key}] = true
				}
			}
		}
	}
}
