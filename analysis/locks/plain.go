package locks

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// changedAtomically are the keys of the variables of ordinary types that functions of
// package sync/atomic change. All their other uses are to be atomic, too.
func (m *View) changedAtomically() map[string]bool {
	if m.atomically == nil {
		m.atomically = map[string]bool{}
		for _, fn := range m.shipped() {
			for n := range ast.Preorder(fn.Body) {
				if call, ok := n.(*ast.CallExpr); ok {
					m.changesBy(fn, call)
				}
			}
		}
	}
	return m.atomically
}

// changesBy notes the variable that a call of package sync/atomic changes.
func (m *View) changesBy(fn *Func, call *ast.CallExpr) {
	f := syntax.Callee(fn.info(), call.Fun)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || f.Signature().Recv() != nil || strings.HasPrefix(f.Name(), "Load") {
		return
	}
	address, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok || address.Op != token.AND {
		return
	}
	e := ast.Unparen(address.X)
	v := syntax.Variable(fn.info(), e)
	if v == nil {
		return
	}
	if of, ok := m.variable(fn, e, v); ok {
		m.atomically[of.Key] = true
	}
}

// leftPlain finds the uses without a lock of a variable that others change atomically, where
// the change mends such uses of another field of the struct in the same function.
func (c *comparison) leftPlain(key string) {
	if !c.after.changedAtomically()[key] {
		return
	}
	for _, u := range c.now[key] {
		if c.plain(c.after, u) && c.plainBeside(u) {
			c.report(LeftOut, u, "%s is used plainly, and changed atomically elsewhere, as the change mends it for what is used beside it", u.Name)
		}
	}
}

// plain reports whether a use is neither atomic nor under a lock, and others may come there.
func (c *comparison) plain(m *View, u Use) bool {
	return !u.Atomic && !u.Alone && len(m.locksAt(u)) == 0
}

// plainBeside reports whether another field of the struct, which others change atomically,
// was used plainly in the function of a use, and is no longer.
func (c *comparison) plainBeside(u Use) bool {
	owner := u.Key[:strings.LastIndex(u.Key, ".")+1]
	for key, was := range c.was {
		if key == u.Key || !strings.HasPrefix(key, owner) || !c.before.changedAtomically()[key] {
			continue
		}
		in := func(m *View) func(Use) bool {
			return func(o Use) bool { return o.In.Name == u.In.Name && c.plain(m, o) }
		}
		if slices.ContainsFunc(was, in(c.before)) && !slices.ContainsFunc(c.now[key], in(c.after)) {
			return true
		}
	}
	return false
}
