package changes

import (
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
)

// calledBack finds functions that users call and that take a lock now under which code of the users runs: that code
// waits for itself if it calls them, and all others wait as long as it runs. What they use has other locks for guards:
//
//	func (a *Stats) Count(name string) {      func (a *Stats) Rotate() {
//	+	a.rotateMu.Lock()                     	a.rotateMu.Lock()
//	+	defer a.rotateMu.Unlock()             	defer a.rotateMu.Unlock()
//		a.current().count(name)               	...
//	}                                         	a.sink(old)
//	                                          }
func (c *comparison) calledBack() {
	runs := make(map[string]waits.HeldPause) // by lock
	for _, p := range waits.PausesHeld(c.before) {
		if _, known := runs[p.Lock]; !known && p.Foreign && !later(p) {
			runs[p.Lock] = p
		}
	}
	if len(runs) == 0 {
		return
	}
	for _, fn := range c.after.Shipped() {
		if fn.Decl != fn || fn.Object == nil || !fn.Object.Exported() {
			continue
		}
		was := c.before.Named(fn.Name)
		if was == nil {
			continue
		}
		had := takes(c.before, was)
		for lock, at := range takes(c.after, fn) {
			p, calls := runs[lock]
			if !calls || had[lock] != nil || p.In.Decl.Name == fn.Name || !c.guardedByOthers(was, lock) {
				continue
			}
			c.reportAt(HeldLonger, fn, at, "", "%s is taken, with which %s %s: that code waits for itself if it calls %s", shortKey(lock), p.In.Decl.Label(), p.What, fn.Label())
		}
	}
}

// takes are the acquisitions in a function's own text, the first of each lock by its key.
func takes(m *locks.View, fn *program.Func) map[string]ast.Node {
	found := make(map[string]ast.Node)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		op, ok := program.LockMethod(fn.Info(), call.Fun)
		if ok && strings.HasSuffix(op.Method, "Lock") {
			if key := m.LockOf(fn, op).Key; found[key] == nil {
				found[key] = call
			}
		}
		return true
	})
	return found
}

// guardedByOthers reports whether what a function of the original uses, itself or in what it calls, has other locks
// for guards, and none of it the given one: another lock is held at more of the uses.
func (c *comparison) guardedByOthers(fn *program.Func, lock string) (others bool) {
	reached := c.reached(fn)
	for _, uses := range c.was {
		if !slices.ContainsFunc(uses, func(u access.Use) bool { return reached[rootOf(u.In)] }) {
			continue
		}
		own, _ := guards.Part(c.before, uses, lock)
		most := 0
		for _, key := range guards.KeysAt(c.before, uses) {
			if other, _ := guards.Part(c.before, uses, key); key != lock {
				most = max(most, len(other))
			}
		}
		if len(own) > 0 && len(own) >= most {
			return false
		}
		others = others || most > 0
	}
	return others
}

// reached are the names of the declared functions that one of the original comes to by calls, with its own.
func (c *comparison) reached(fn *program.Func) map[string]bool {
	found := make(map[string]bool)
	work := []*program.Func{fn}
	for len(work) > 0 {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		if found[next.Name] {
			continue
		}
		found[next.Name] = true
		ast.Inspect(next.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f := syntax.Callee(next.Info(), call.Fun); f != nil {
				if to := c.before.Named(f.FullName()); to != nil {
					work = append(work, to)
				}
			}
			return true
		})
	}
	return found
}
