package mutate

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
)

// flow is the function in the model of locks and control flow.
func (fn *Function) flow() *program.Func { return fn.space.model.Of(fn.Node) }

// flowLock is a lock, as it would be written at some statements, in the model's
// terms; ok is false where it is none that anything else could get at.
func (fn *Function) flowLock(l analysis.Lock, stmts ...ast.Stmt) (lock naming.Lock, ok bool) {
	at := fn.Body.Lbrace + 1
	if len(stmts) > 0 {
		at = stmts[0].Pos()
	}
	return fn.flowLockAt(l, at)
}

func (fn *Function) flowLockAt(l analysis.Lock, at token.Pos) (lock naming.Lock, ok bool) {
	if l.New == nil {
		return fn.space.model.LockAt(fn.flow(), l.Expr, at)
	}
	switch l.New.Kind {
	case analysis.PackageLock:
		return naming.Lock{Path: naming.Path{Text: l.Key}, Key: l.Key, Expr: l.Expr, New: true}, true
	case analysis.FieldLock:
		i, j := strings.LastIndex(l.Expr, "."), strings.LastIndex(l.Key, ".")
		if i >= 0 && j >= 0 {
			lock, ok := fn.space.model.FieldAt(fn.flow(), l.Expr[:i], l.Key[:j], l.Expr[i+1:], at)
			lock.New = true
			return lock, ok
		}
	}
	return naming.Lock{}, false
}

// HeldAt lists the locks that are held in the original whenever a statement of
// the function is reached, those of callers left out. What helpers have taken is
// among them and, in a literal that runs where it stands, what is held meanwhile.
func (fn *Function) HeldAt(s ast.Stmt) []analysis.Lock {
	var held []analysis.Lock
	for _, h := range fn.space.model.HeldAt(fn.flow(), s) {
		if h.Always {
			held = append(held, fn.analysisLock(h.Lock))
		}
	}
	return held
}

// Holds reports whether a lock with a key is among those of HeldAt.
func (fn *Function) Holds(s ast.Stmt, key string) bool {
	return slices.ContainsFunc(fn.HeldAt(s), func(l analysis.Lock) bool { return l.Key == key })
}

// Relocks reports whether a call of the function may take a lock that its goroutine holds
// there, itself or in what it runs, in the original.
func (fn *Function) Relocks(call *ast.CallExpr) bool {
	type relocksOf struct{ fn *Function }
	relocks := Once(fn, relocksOf{fn}, func() []locks.Relock { return fn.space.model.Relocks(fn.flow()) })
	return slices.ContainsFunc(relocks, func(r locks.Relock) bool { return r.At == ast.Node(call) })
}

// analysisLock is a lock of the model as the function can write it.
func (fn *Function) analysisLock(l naming.Lock) analysis.Lock {
	if l.Call != nil {
		if lock, _, ok := fn.Program.LockOf(fn.File, &ast.CallExpr{Fun: l.Call}); ok {
			lock.Expr = fn.unaliased(lock.Expr)
			return lock
		}
	}
	expr := strings.TrimPrefix(l.Path.String(), fn.File.Package.Path+".")
	expr = strings.TrimSuffix(strings.TrimSuffix(expr, ".Mutex"), ".RWMutex")
	return analysis.Lock{Expr: expr, Key: l.Key, RW: l.RW}
}

// HeldByCaller reports whether a function that calls this one, directly or not,
// may hold a lock with a key at such a call, with what the lock belongs to.
func (fn *Function) HeldByCaller(key string) bool {
	return callers.Hold(fn.space.model, fn.flow(), key, func(in *program.Func, l naming.Lock) bool {
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
func (fn *Function) EntryOf(s *Section) Entry {
	lock, ok := fn.flowLockAt(s.Lock, s.Acquire.Pos())
	if !ok {
		return Unheld
	}
	return callers.EntryOf(fn.space.model, fn.flow(), lock, s.Read)
}

// Nests reports whether the original, but for its tests, takes a lock while another may be held,
// both given by key.
func (fn *Function) Nests(held, taken string) bool { return order.Nests(fn.space.model, held, taken) }
