package mutate

import (
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks/callers"
)

// Conflict returns why a lock cannot be held around some consecutive statements
// of the function, or "": it is held there already, by a caller too; or they
// lock or release it themselves or in a function that is given what the lock
// belongs to, this one, called again, among them.
//
// Local variables that only stand for another expression are seen through. Of a
// whole body, the lock is taken to be put behind the calls it first defers, and
// its own release to be deferred.
func (fn *Function) Conflict(l analysis.Lock, stmts ...ast.Stmt) string {
	lock, ok := fn.flowLock(l, stmts...)
	if !ok {
		return ""
	}
	switch callers.ConflictOf(fn.space.model, fn.flow(), lock, fn.all(stmts), stmts, stmts[fn.leading(stmts):]) {
	case callers.HeldAlready:
		return l.Expr + " is held there already"
	case callers.Handled:
		return "the statements lock or release " + l.Expr + " themselves"
	case callers.HeldByCaller:
		return "a caller holds " + l.Expr + " already"
	case callers.Relocked:
		return "the statements call a function that locks " + l.Expr
	}
	return ""
}

// all reports whether statements are the whole body.
func (fn *Function) all(stmts []ast.Stmt) bool {
	return len(stmts) > 0 && len(stmts) == len(fn.Body.List) && stmts[0] == fn.Body.List[0]
}

// around is a lock as it is held around some statements: of a whole body its
// release is deferred, so that what the body defers runs under it.
func (fn *Function) around(l analysis.Lock, stmts []ast.Stmt) heldLock {
	return heldLock{Lock: l, deferred: fn.all(stmts)}
}

// leading counts the deferred calls that a whole body begins with, which run
// when a lock taken behind them is free again. Function literals are no such calls.
func (fn *Function) leading(stmts []ast.Stmt) int {
	if !fn.all(stmts) {
		return 0
	}
	return max(0, slices.IndexFunc(stmts, func(s ast.Stmt) bool {
		d, ok := s.(*ast.DeferStmt)
		if !ok || len(fn.Accesses(d)) > 0 {
			return true
		}
		_, literal := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
		return literal
	}))
}

// under finds what happens in statements that a lock is held around.
func (v *view) under(l heldLock, names aliases, stmts []ast.Stmt) map[event]bool {
	w := v.newWalk(-1, names)
	w.list(stmts, held{[]heldLock{l}, true})
	return w.events
}

// Waits reports whether some consecutive statements may wait for other
// goroutines, for time to pass, or for input and output while a lock is held
// around them. The wait of a condition variable, which gives the lock up, is none.
// The zero lock stands for one that they do not know.
func (fn *Function) Waits(l analysis.Lock, stmts ...ast.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	// Which lock it is does not matter, as long as the statements leave it alone; but
	// the wait of a condition variable gives up no lock that is not said.
	key := waiting{between{stmts[0], stmts[len(stmts)-1]}, l.Key != ""}
	fn.memo.mu.Lock()
	waits, known := fn.memo.waits[key]
	fn.memo.mu.Unlock()
	if known {
		return waits
	}
	waits = fn.findWaits(l, stmts)
	fn.memo.mu.Lock()
	defer fn.memo.mu.Unlock()
	if fn.memo.waits == nil {
		fn.memo.waits = make(map[waiting]bool)
	}
	fn.memo.waits[key] = waits
	return waits
}

func (fn *Function) findWaits(l analysis.Lock, stmts []ast.Stmt) bool {
	for ev := range fn.space.originalView(fn.nodeIDs()).under(fn.around(l, stmts), nil, stmts[fn.leading(stmts):]) {
		if ev.kind == waits {
			return true
		}
	}
	return false
}

// decl is the declared function around a function, itself included; nil for
// the literals of package variables.
func (fn *Function) decl() *ast.FuncDecl {
	if fn.memo == nil {
		return fn.findDecl()
	}
	return fn.memo.decl.get(fn.findDecl)
}

func (fn *Function) findDecl() *ast.FuncDecl {
	for _, d := range fn.File.AST.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= fn.Node.Pos() && fn.Node.End() <= fd.End() {
			return fd
		}
	}
	return nil
}
