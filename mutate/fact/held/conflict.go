package held

import (
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks/callers"
	"mendel/mutate"
)

// Conflict returns why a lock cannot be held around some consecutive statements
// of the function, or "": it is held there already, by a caller too; or they
// lock or release it themselves or in a function that is given what the lock
// belongs to, this one, called again, among them.
//
// Local variables that only stand for another expression are seen through. Of a
// whole body, the lock is taken to be put behind the calls it first defers, and
// its own release to be deferred.
func Conflict(fn *mutate.Function, l analysis.Lock, stmts ...ast.Stmt) string {
	lock, ok := lockOf(fn, l, stmts...)
	if !ok {
		return ""
	}
	switch callers.ConflictOf(fn.Locks(), fn.Locks().Of(fn.Node), lock, all(fn, stmts), stmts, behind(fn, stmts)) {
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
func all(fn *mutate.Function, stmts []ast.Stmt) bool {
	return len(stmts) > 0 && len(stmts) == len(fn.Body.List) && stmts[0] == fn.Body.List[0]
}

// Leading counts the deferred calls that a function's body begins with, which run
// when a lock taken behind them is free again. The first that uses a shared variable ends
// them, and so does a function literal, which might.
func Leading(fn *mutate.Function) int {
	n := slices.IndexFunc(fn.Body.List, func(s ast.Stmt) bool {
		d, ok := s.(*ast.DeferStmt)
		if !ok || len(fn.Accesses(d)) > 0 {
			return true
		}
		_, literal := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
		return literal
	})
	if n < 0 {
		return len(fn.Body.List)
	}
	return n
}

// behind are the statements that a lock is held for: of a whole body those behind the deferred
// calls that it begins with, unless there is nothing else.
func behind(fn *mutate.Function, stmts []ast.Stmt) []ast.Stmt {
	if n := Leading(fn); all(fn, stmts) && n < len(stmts) {
		return stmts[n:]
	}
	return stmts
}

// Waits reports whether some consecutive statements may wait for other
// goroutines, for time to pass, or for input and output while a lock is held
// around them. The wait of a condition variable, which gives the lock up, is none.
// The zero lock stands for one that they do not know.
func Waits(fn *mutate.Function, l analysis.Lock, stmts ...ast.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	// Which lock it is does not matter, as long as the statements leave it alone; but
	// the wait of a condition variable gives up no lock that is not said.
	key := waiting{stmts[0], stmts[len(stmts)-1], l.Key != ""}
	return waitsUnder.Of(fn).Get(key, func() bool { return findWaits(fn, l, stmts) })
}

// waitsUnder are the answers of [Waits].
var waitsUnder = mutate.NewFact(func(*mutate.Function) *mutate.Table[waiting, bool] { return new(mutate.Table[waiting, bool]) })

// waiting is what [Waits] was asked: from one statement of a list to another,
// under a lock that is known or not.
type waiting struct {
	first, last ast.Stmt
	known       bool
}

func findWaits(fn *mutate.Function, l analysis.Lock, stmts []ast.Stmt) bool {
	return fn.WaitsUnder(l, all(fn, stmts), behind(fn, stmts))
}
