package held

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/analysis/locks/callers"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/program"
	"mendel/mutate"
)

// lockOf is a lock, as it would be written at some statements, in the model's
// terms; ok is false where it is none that anything else could get at.
func lockOf(fn *mutate.Function, l analysis.Lock, stmts ...ast.Stmt) (lock naming.Lock, ok bool) {
	at := fn.Body.Lbrace + 1
	if len(stmts) > 0 {
		at = stmts[0].Pos()
	}
	return LockAt(fn, l, at)
}

// LockAt is a lock, as it would be written at a place, in the model's terms; ok is false where it is none that anything
// else could get at.
func LockAt(fn *mutate.Function, l analysis.Lock, at token.Pos) (lock naming.Lock, ok bool) {
	if l.New == nil {
		return fn.Locks().LockAt(fn.Locks().Of(fn.Node), l.Expr, at)
	}
	switch l.New.Kind {
	case analysis.PackageLock:
		return naming.Lock{Path: naming.Path{Text: l.Key}, Key: l.Key, Expr: l.Expr, New: true}, true
	case analysis.FieldLock:
		i, j := strings.LastIndex(l.Expr, "."), strings.LastIndex(l.Key, ".")
		if i >= 0 && j >= 0 {
			lock, ok := fn.Locks().FieldAt(fn.Locks().Of(fn.Node), l.Expr[:i], l.Key[:j], l.Expr[i+1:], at)
			lock.New = true
			return lock, ok
		}
	}
	return naming.Lock{}, false
}

// Holds reports whether a lock with a key is among those of HeldAt.
func Holds(fn *mutate.Function, s ast.Stmt, key string) bool {
	return slices.ContainsFunc(fn.HeldAt(s), func(l analysis.Lock) bool { return l.Key == key })
}

// Relocks reports whether a call of the function may take a lock that its goroutine holds
// there, itself or in what it runs, in the original.
func Relocks(fn *mutate.Function, call *ast.CallExpr) bool {
	type relocksOf struct{ fn *mutate.Function }
	relocks := mutate.Once(fn, relocksOf{fn}, func() []locks.Relock { return fn.Locks().Relocks(fn.Locks().Of(fn.Node)) })
	return slices.ContainsFunc(relocks, func(r locks.Relock) bool { return r.At == ast.Node(call) })
}

// ByCaller reports whether a function that calls this one, directly or not,
// may hold a lock with a key at such a call, with what the lock belongs to.
func ByCaller(fn *mutate.Function, key string) bool {
	return callers.Hold(fn.Locks(), fn.Locks().Of(fn.Node), key, func(in *program.Func, l naming.Lock) bool {
		if l.Key == key {
			return true
		}
		if l.Call == nil {
			return false
		}
		lock, _, ok := fn.Program.LockOf(in.File, &ast.CallExpr{Fun: l.Call})
		return ok && lock.Key == key
	})
}

// An Entry is what is known of a lock when a function is entered.
type Entry = callers.Entry

// Entries, each saying more than the one before.
const (
	Unheld = callers.UnheldAtEntry // on some way, or nothing is known
	Alike  = callers.AlikeAtEntry  // one with its key is held on every way, maybe another value's
	Held   = callers.HeldAtEntry   // the lock itself is held on every way
)

// EntryOf says whether a section's lock is held already whenever the function is
// entered, so that the function need not take it, and cannot.
func EntryOf(fn *mutate.Function, s *mutate.Section) Entry {
	lock, ok := LockAt(fn, s.Lock, s.Acquire.Pos())
	if !ok {
		return Unheld
	}
	return callers.EntryOf(fn.Locks(), fn.Locks().Of(fn.Node), lock, s.Read)
}

// Nests reports whether the original, but for its tests, takes a lock while another may be held,
// both given by key.
func Nests(fn *mutate.Function, held, taken string) bool { return order.Nests(fn.Locks(), held, taken) }
