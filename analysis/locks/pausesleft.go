package locks

import (
	"go/ast"
	"slices"
)

// pausesLeft finds waits and calls of others' code with a lock held, where the change lets the
// lock go for the same in another function: what it keeps from waiting for ever there may wait here.
func (c *comparison) pausesLeft() {
	type pause struct{ key, lock string }
	count := func(m *View) map[pause]map[string]int {
		n := make(map[pause]map[string]int)
		for _, p := range m.pausesHeld() {
			if p.later() {
				continue
			}
			at := pause{p.Key, p.lock}
			if n[at] == nil {
				n[at] = make(map[string]int)
			}
			n[at][rootOf(p.in)]++
		}
		return n
	}
	was, now := count(c.before), count(c.after)
	still := c.after.pausesAnywhere()
	mended := make(map[pause]bool)
	for at, in := range was {
		for fn, n := range in {
			mended[at] = mended[at] || now[at][fn] < n && still[tell{fn, at.key}]
		}
	}
	for _, p := range c.after.pausesHeld() {
		at := pause{p.Key, p.lock}
		if !p.later() && mended[at] && was[at][rootOf(p.in)] > 0 {
			c.reportAt(PauseLeft, p.in, p.At, "", "%s with %s held, as the change mends it elsewhere", p.What, shortKey(p.lock))
		}
	}
}

// pausesAnywhere are the pauses of all functions, with those of literals that may run later.
func (m *View) pausesAnywhere() map[tell]bool {
	found := make(map[tell]bool)
	for _, fn := range m.shipped() {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n != nil {
				if p, ok := m.pauseOf(fn, n); ok {
					found[tell{rootOf(fn), p.Key}] = true
				}
			}
			return true
		})
	}
	return found
}

// later reports whether a pause is in a literal of the function, which may run when the lock is
// free again.
func (p heldPause) later() bool {
	return slices.ContainsFunc(p.in.lits, func(lit *Func) bool {
		return lit.Node.Pos() <= p.At.Pos() && p.At.End() <= lit.Node.End()
	})
}
