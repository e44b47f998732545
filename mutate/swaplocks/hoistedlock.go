package swaplocks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/sectionedit"
)

// callee is the form of the edits that take a callee's lock before another one.
const callee = "callee"

// A hoistedLock is a lock that functions take which are called in a section of
// another lock, and that is to be taken before that.
type hoistedLock struct {
	outer *mutate.Section
	lock  analysis.Lock
	path  mutate.Path
	calls []locked.Call
	read  bool
}

// hoistedLocks lists the locks to be taken before some sections, in source order.
func hoistedLocks(fn *mutate.Function, sections []*mutate.Section) []hoistedLock {
	var found []hoistedLock
	for _, outer := range sections {
		if outer.Again || !outer.Deferred && (outer.Final == nil || len(outer.Early()) > 0) || outer.InLiteral != nil {
			continue
		}
		var here []hoistedLock
		for _, c := range locked.CallsNow(fn) {
			if !outer.Covers(mutate.Innermost(fn.Statements(), c.Expr).Stmt) {
				continue
			}
			for _, key := range held.AcquiresOf(fn, c.Expr) {
				if key != outer.Lock.Key && held.Nests(fn, key, outer.Lock.Key) {
					here = add(fn, here, outer, c, key)
				}
			}
		}
		found = append(found, slices.DeleteFunc(here, func(a hoistedLock) bool { return !a.right(fn) })...)
	}
	return found
}

// add adds a call's lock to those found in the section.
func add(fn *mutate.Function, found []hoistedLock, outer *mutate.Section, c mutate.Call, key string) []hoistedLock {
	for _, to := range locked.Of(c.To, key) {
		p := c.Name(to.Lock)
		if p.Root == nil || !locked.CanCall(fn, c.Expr, to) {
			continue
		}
		i := slices.IndexFunc(found, func(a hoistedLock) bool { return a.path == p })
		if i < 0 {
			i = len(found)
			lock := to.As
			lock.Expr = p.String()
			found = append(found, hoistedLock{outer: outer, lock: lock, path: p, read: true})
		}
		found[i].calls = append(found[i].calls, locked.Call{Expr: c.Expr, To: to})
		found[i].read = found[i].read && to.Read
	}
	return found
}

// right reports whether the lock can be taken before the section: it is named and
// free there, and nothing but the calls takes one of its kind in the section.
func (a *hoistedLock) right(fn *mutate.Function) bool {
	body := a.outer.Body
	if !locking.Visible(fn, a.path, a.outer.Acquire) || locking.Reassigned(a.lock.Expr, body) ||
		locking.ComparesNil(fn, a.path, body) || held.ByCaller(fn, a.lock.Key) {
		return false
	}
	known := func(call *ast.CallExpr) bool {
		return slices.ContainsFunc(a.calls, func(c locked.Call) bool { return c.Expr == call })
	}
	return !held.Holds(fn, a.outer.Acquire, a.lock.Key) && !locking.TakenBeside(fn, a.lock.Key, body, known)
}

func (a *hoistedLock) edit(fn *mutate.Function) mutate.Edit {
	var stmts []ast.Stmt
	var names []string
	for _, c := range a.calls {
		stmts = append(stmts, mutate.Innermost(fn.Statements(), c.Expr).Stmt)
		if name := types.ExprString(c.Expr.Fun); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	e := fn.NewEdit("swaplocks", a.outer.Acquire, stmts...)
	e.Form, e.Lock, e.Read = callee, &a.lock, a.read
	e.Note = "take " + a.lock.Expr + " for " + strings.Join(names, " and ") + " before " + a.outer.Lock.Expr + ", lest two goroutines wait for each other"
	for _, c := range a.calls {
		e.Heat = max(e.Heat, c.To.WaitHeat())
	}
	e.Group = order(a.lock, a.outer.Lock)
	return e
}

// applyHoisted takes the lock around the section and calls variants in it.
func applyHoisted(m *mutate.Mutation, e mutate.Edit) error {
	outer, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	as := hoistedLocks(outer.Fn, []*mutate.Section{outer.Section})
	i := slices.IndexFunc(as, func(a hoistedLock) bool { return a.lock.Key == e.Lock.Key && a.lock.Expr == e.Lock.Expr })
	if i < 0 {
		return mutate.Refuse(e, "no function called in the section takes the lock")
	}
	statements := outer.Fn.Statements()
	for _, c := range as[i].calls {
		if _, err := outer.Around(outer.Fn.ID(mutate.Innermost(statements, c.Expr).Stmt)); err != nil {
			return err
		}
	}
	if err := outer.Surround(*e.Lock, e.Read, e.Note); err != nil {
		return err
	}
	return locked.CallUnlocked(m, e, as[i].calls)
}
