package mutate

import (
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/mutate/internal/critical"
	"mendel/mutate/internal/lockcall"
)

// A Section is a critical section of one function in the original; see package critical.
type Section = critical.Section[*Function]

// Sections recognises the function's critical sections, outer before inner.
func (fn *Function) Sections() []*Section { return slices.Clone(sections.Of(fn)) }

var sections = NewFact(func(fn *Function) []*Section {
	return critical.Sections(fn, critical.Text{Program: fn.Program, File: fn.File, Body: fn.Body})
})

// IsLockCall reports whether a statement is only a call of a lock's method, at once or deferred.
func (fn *Function) IsLockCall(s ast.Stmt) bool {
	if d, ok := s.(*ast.DeferStmt); ok {
		_, ok := lockcall.OfExpr(fn.Program, fn.File, d.Call)
		return ok
	}
	_, ok := lockcall.Of(fn.Program, fn.File, s)
	return ok
}

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
		if lock, _, ok := fn.Program.LockCall(fn.File, &ast.CallExpr{Fun: l.Call}); ok {
			lock.Expr = fn.Unaliased(lock.Expr)
			return lock
		}
	}
	expr := strings.TrimPrefix(l.Path.String(), fn.File.Package.Path+".")
	expr = strings.TrimSuffix(strings.TrimSuffix(expr, ".Mutex"), ".RWMutex")
	return analysis.Lock{Expr: expr, Key: l.Key, RW: l.RW}
}

// Unaliased is an expression of the function without local variables that stand for another one:
// p.list.mu for l.mu after l := p.list.
func (fn *Function) Unaliased(expr string) string {
	if decl := fn.Decl(); decl != nil {
		return fn.space.holding.Unaliased(decl, expr)
	}
	return expr
}

// WaitsUnder reports whether statements may wait for other goroutines, for time to pass, or
// for input and output while a lock is held around them; deferred says that its release is.
func (fn *Function) WaitsUnder(l analysis.Lock, deferred bool, stmts []ast.Stmt) bool {
	return fn.space.holding.WaitsUnder(fn.original(), l, deferred, stmts)
}
