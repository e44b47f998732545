package mutate

import (
	"go/ast"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
)

// Locks is the model of the locks of the original.
func (fn *Function) Locks() *locks.Model { return fn.space.model }

// HeldAt lists the locks that are held in the original whenever a statement of
// the function is reached, those of callers left out. What helpers have taken is
// among them and, in a literal that runs where it stands, what is held meanwhile.
func (fn *Function) HeldAt(s ast.Stmt) []analysis.Lock {
	var held []analysis.Lock
	for _, h := range fn.Locks().HeldAt(fn.Locks().Of(fn.Node), s) {
		if h.Always {
			held = append(held, fn.AnalysisLock(h.Lock))
		}
	}
	return held
}

// AnalysisLock is a lock of the model as the function can write it.
func (fn *Function) AnalysisLock(l naming.Lock) analysis.Lock {
	if l.Call != nil {
		if lock, _, ok := fn.Program.LockOf(fn.File, &ast.CallExpr{Fun: l.Call}); ok {
			lock.Expr = fn.Unaliased(lock.Expr)
			return lock
		}
	}
	expr := strings.TrimPrefix(l.Path.String(), fn.File.Package.Path+".")
	expr = strings.TrimSuffix(strings.TrimSuffix(expr, ".Mutex"), ".RWMutex")
	return analysis.Lock{Expr: expr, Key: l.Key, RW: l.RW}
}
