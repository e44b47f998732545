package mutate

import (
	"go/ast"
	"go/types"
)

// A callHeld is a call of the original that is made while locks are held.
// Where a mutant leaves its declaration as it is, what the call adds to what
// happens under these locks is all that may be new there.
type callHeld struct {
	file     *nodeIDs
	decl     int // index in the file's declarations
	node     int // NodeID of the call
	function *types.Func
	indirect bool       // what runs is known when the program does: function is an interface's method or nil
	held     []heldLock // not to be changed
}

// noteCall notes a call of the original. The walk comes to a loop's calls twice.
func (w *holdWalk) noteCall(call *ast.CallExpr, f *types.Func, indirect bool, held []heldLock) {
	w.calls = append(w.calls, callHeld{node: w.id(call), function: f, indirect: indirect, held: held})
}

// leaves reports whether the mutation leaves the call's declaration as it is.
func (m *Mutation) leaves(c *callHeld) bool {
	f := m.files[c.file.file.Rel]
	return f == nil || f.clones[c.decl] == nil
}

// nestedByCallers adds the orders of the locks that such declarations hold and those
// that their calls come to take now, as far as they are new there.
func (m *Mutation) nestedByCallers(aq *acquirers, nestings map[order]bool) {
	for _, key := range aq.keys {
		calls := m.space.order().calls
		for i := range calls {
			c := &calls[i]
			if m.space.functions[c.file.file.Rel] == nil || !aq.of(key).has(c.function) || !m.leaves(c) {
				continue
			}
			before := m.space.walksOf(c.file).events
			for _, h := range c.held {
				if !before[nesting(h.Expr, key, c.file.decls[c.decl])] {
					nestings[order{h.Key, key}] = true
				}
			}
		}
	}
}
