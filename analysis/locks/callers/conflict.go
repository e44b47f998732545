package callers

import (
	"go/ast"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// A Conflict is why a lock cannot be held around some statements.
type Conflict int

// Conflicts.
const (
	NoConflict   Conflict = iota
	HeldAlready           // it may be held there
	Handled               // the statements lock or release it, or call what leaves it otherwise than it was
	HeldByCaller          // it, or one with its key that is given to what is called
	Relocked              // the statements come to a function that takes it, or to this one again
)

// ConflictOf finds why a lock cannot be held around some consecutive statements
// of a function. It would be taken before those inside, the last of them; what
// they defer runs under it where its own release would be deferred.
func ConflictOf(of *locks.Model, fn *program.Func, l naming.Lock, deferred bool, stmts, inside []ast.Stmt) Conflict {
	m := of.Lock()
	defer of.Unlock()
	if l.New {
		if m.Relocked(fn, l, deferred, inside) {
			return Relocked
		}
		return NoConflict
	}
	if len(stmts) > 0 {
		for _, f := range m.Flows(fn) {
			if f.Lock.Path != l.Path {
				continue
			}
			if _, held := f.At(m.Graph(fn).Node(stmts[0])); held {
				return HeldAlready
			}
		}
	}
	if m.Handled(fn, l, stmts) {
		return Handled
	}
	named := func(_ *program.Func, o naming.Lock) bool { return o.Key == l.Key }
	if heldByCaller(m, fn, l) || AboveOf(m, fn).has(l.Key) && givenHeld(m, fn, "key "+l.Key, named) {
		return HeldByCaller
	}
	if m.Relocked(fn, l, deferred, inside) {
		return Relocked
	}
	return NoConflict
}
