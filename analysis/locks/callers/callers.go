package callers

import (
	"go/ast"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// HeldInCall reports whether a lock of which is says so is held each time that
// a call of a function leads to a statement of it: by the function itself, by what it
// calls, or by the caller. What the callers of that hold is left out. Flags that the
// call gives as constants are understood.
func HeldInCall(of *locks.Model, from *program.Func, call *ast.CallExpr, fn *program.Func, s ast.Stmt, is func(naming.Lock) bool) bool {
	m := of.Lock()
	defer of.Unlock()
	at := program.Site{In: from, Call: call}
	if m.Deferred(at) {
		return false
	}
	for _, l := range m.Locks(fn) {
		if !is(l) {
			continue
		}
		for _, named := range m.InCaller(from, call, fn, l) {
			if m.HeldInCall(at, fn, s, named) {
				return true
			}
		}
	}
	return false
}
