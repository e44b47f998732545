package mutate

import (
	"go/ast"

	"github.com/dave/dst"

	"mendel/analysis"
)

// Conflict tells why a lock cannot be held around some consecutive statements
// of the function, or "": it is held there already, or they lock or release it
// themselves or in a function that is given what the lock belongs to.
func (fn *Function) Conflict(l analysis.Lock, stmts ...ast.Stmt) string {
	v := fn.space.originalView(fn.tree)
	nodes := make([]dst.Stmt, 0, len(stmts))
	for _, s := range stmts {
		nodes = append(nodes, fn.tree.nodes[fn.ID(s)].(dst.Stmt))
	}
	if len(nodes) > 0 && isHeld(fn.space.heldBefore(fn.tree, nodes[0]), l) {
		return l.Expr + " is held there already"
	}
	for _, n := range nodes {
		if v.handles(n, l) {
			return "the statements lock or release " + l.Expr + " themselves"
		}
	}
	w := &holdWalk{view: v, events: make(map[event]bool), at: make(map[dst.Stmt][]heldLock)}
	w.list(nodes, []heldLock{{Lock: l}})
	for ev := range w.events {
		if ev.kind == relocks && ev.lock == l.Expr {
			return "the statements call a function that locks " + l.Expr
		}
	}
	return ""
}

func isHeld(held []heldLock, l analysis.Lock) bool {
	for _, h := range held {
		if h.Key == l.Key && h.Expr == l.Expr {
			return true
		}
	}
	return false
}

// handles tells whether a statement has a call of one of the lock's methods in
// its text, function literals included.
func (v *view) handles(s dst.Stmt, l analysis.Lock) bool {
	found := false
	dst.Inspect(s, func(n dst.Node) bool {
		if call, ok := n.(*dst.CallExpr); ok {
			c, ok := v.lockCall(call)
			found = found || ok && c.lock.Key == l.Key && c.lock.Expr == l.Expr
		}
		return !found
	})
	return found
}

// heldBefore is what is held in the original before a statement.
func (s *Space) heldBefore(t *tree, stmt dst.Stmt) []heldLock {
	s.facts.mu.Lock()
	found := s.facts.held[t]
	s.facts.mu.Unlock()
	if found == nil {
		found = make(map[dst.Stmt][]heldLock)
		v := s.originalView(t)
		for _, d := range v.root.Decls {
			for stmt, held := range v.walk(d).at {
				found[stmt] = held
			}
		}
		s.facts.mu.Lock()
		if s.facts.held == nil {
			s.facts.held = make(map[*tree]map[dst.Stmt][]heldLock)
		}
		s.facts.held[t] = found
		s.facts.mu.Unlock()
	}
	return found[stmt]
}
