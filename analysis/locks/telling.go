package locks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// Who tells others of a change in the section that makes it tells them in the order of the
// changes:
//
//	d.mu.Lock()
//	d.value = value
//	d.tell(value)
//	d.mu.Unlock()
//
// Behind the section, or in a goroutine, an older value may come after a newer one. It does
// not where another lock is held around both, and does not matter where nothing is handed over
// that was changed.

// A tell is a call of code of others, or a send, of a function.
type tell struct{ fn, key string }

// telling finds what is told without a lock of a change that the original tells of in the
// section that makes it.
func (c *comparison) telling() {
	was := c.before.tellings()
	free := make(map[tell]bool) // in the original, too, at another place of the function
	for _, p := range c.before.pausesFree() {
		free[tell{rootOf(p.in), p.Key}] = true
	}
	for _, p := range c.after.pausesFree() {
		t := tell{rootOf(p.in), p.Key}
		if lock, told := was[t]; told && !free[t] {
			c.reportAt(ToldLate, p.in, p.At, "", "%s without %s, under which what it tells is changed: an older change can be told after a newer one", p.What, shortKey(lock))
		}
	}
}

// rootOf is the name of the declaration that a function is, or is written in.
func rootOf(fn *Func) string {
	if fn.Decl != nil {
		return fn.Decl.Name
	}
	return fn.Name
}

// tells reports whether a pause hands something to others: a callback, or a send.
func (p Pause) tells() bool { return p.Foreign || strings.HasPrefix(p.Key, "sends to ") }

// tellings are the keys of the locks under which functions tell what they change.
func (m *View) tellings() map[tell]string {
	found := make(map[tell]string)
	for _, p := range m.pausesHeld() {
		if p.tells() && m.tellsChange(p) {
			found[tell{rootOf(p.in), p.Key}] = p.lock
		}
	}
	return found
}

// tellsChange reports whether a pause hands over what its function assigns, under the pause's
// lock, to a variable of others: the value, or the variable itself.
func (m *View) tellsChange(p heldPause) bool {
	var handed []ast.Expr
	switch n := p.At.(type) {
	case *ast.CallExpr:
		handed = n.Args
	case *ast.SendStmt:
		handed = []ast.Expr{n.Value}
	}
	info := p.in.info()
	locals := func(nodes ...ast.Expr) (found []types.Object) {
		for _, e := range nodes {
			ast.Inspect(e, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && v.Parent() != v.Pkg().Scope() && v != p.in.recv {
					found = append(found, v)
				}
				return true
			})
		}
		return found
	}
	given := locals(handed...)
	uses := m.usesOf(p.in)
	told := func(u Use) bool {
		return slices.ContainsFunc(uses, func(o Use) bool {
			return o.Key == u.Key && slices.ContainsFunc(handed, func(e ast.Expr) bool { return syntax.Within[ast.Node](o.At, e) })
		})
	}
	changes := false
	ast.Inspect(p.in.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || changes {
			return !changes
		}
		for _, u := range uses {
			if !u.Write || m.guards(u, p.lock) != Always || !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return syntax.Within[ast.Node](u.At, e) }) {
				continue
			}
			changes = changes || told(u) || slices.ContainsFunc(locals(s.Rhs...), func(v types.Object) bool { return slices.Contains(given, v) })
		}
		return !changes
	})
	return changes
}

// pausesFree lists the pauses that the program's functions make without any lock.
func (m *View) pausesFree() []heldPause {
	var list []heldPause
	for _, fn := range m.shipped() {
		free := func(at ast.Node) bool {
			return !slices.ContainsFunc(m.flowsOf(fn), func(f *flow) bool {
				_, some := f.at(m.nodeOf(fn, at))
				return some
			})
		}
		m.pausesAt(fn, free, func(p Pause) { list = append(list, heldPause{"", p, fn}) })
	}
	return list
}
