package changes

import (
	"go/ast"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
)

// pausesLeft finds waits and calls of others' code with a lock held, where the change lets the
// lock go for the same in another function: what it keeps from waiting for ever there may wait here.
func (c *comparison) pausesLeft() {
	type pause struct {
		key, lock string
		out       bool // there is another way out
	}
	count := func(m *locks.View) map[pause]map[string]int {
		n := make(map[pause]map[string]int)
		for _, p := range waits.PausesHeld(m) {
			if later(p) {
				continue
			}
			at := pause{p.Key, p.Lock, hasWayOut(p)}
			if n[at] == nil {
				n[at] = make(map[string]int)
			}
			n[at][rootOf(p.In)]++
		}
		return n
	}
	was, now := count(c.before), count(c.after)
	still := pausesAnywhere(c.after)
	mended := make(map[pause]bool)
	for at, in := range was {
		for fn, n := range in {
			mended[at] = mended[at] || now[at][fn] < n && still[tell{fn, at.key}]
		}
	}
	for _, p := range waits.PausesHeld(c.after) {
		at := pause{p.Key, p.Lock, hasWayOut(p)}
		if !later(p) && mended[at] && was[at][rootOf(p.In)] > 0 {
			c.reportAt(PauseLeft, p.In, p.At, "", "%s with %s held, as the change mends it elsewhere", p.What, shortKey(p.Lock))
		}
	}
}

// pausesAnywhere are the pauses of all functions, with those of literals that may run later.
func pausesAnywhere(m *locks.View) map[tell]bool {
	found := make(map[tell]bool)
	for _, fn := range m.Shipped() {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n != nil {
				if p, ok := waits.PauseOf(m, fn, n); ok {
					found[tell{rootOf(fn), p.Key}] = true
				}
			}
			return true
		})
	}
	return found
}

// hasWayOut reports whether a pause is a case of a select that has others: who waits there goes on when one
// of these comes about.
func hasWayOut(p waits.HeldPause) bool {
	return syntax.Any(p.In.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		return ok && len(sel.Body.List) > 1 && slices.ContainsFunc(sel.Body.List, func(c ast.Stmt) bool {
			comm := c.(*ast.CommClause).Comm
			return comm != nil && comm.Pos() <= p.At.Pos() && p.At.End() <= comm.End()
		})
	})
}

// later reports whether a pause is in a literal of the function, which may run when the lock is
// free again.
func later(p waits.HeldPause) bool {
	return slices.ContainsFunc(p.In.Lits, func(lit *program.Func) bool {
		return lit.Node.Pos() <= p.At.Pos() && p.At.End() <= lit.Node.End()
	})
}
