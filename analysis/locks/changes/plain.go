package changes

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// changedAtomically are the keys of the variables of ordinary types that functions of
// package sync/atomic change. All their other uses are to be atomic, too.
func changedAtomically(m *locks.View) map[string]bool {
	if tables.Of(m).atomically == nil {
		tables.Of(m).atomically = map[string]bool{}
		for _, fn := range m.Shipped() {
			for n := range ast.Preorder(fn.Body) {
				if call, ok := n.(*ast.CallExpr); ok {
					changesBy(m, fn, call)
				}
			}
		}
	}
	return tables.Of(m).atomically
}

// changesBy notes the variable that a call of package sync/atomic changes.
func changesBy(m *locks.View, fn *program.Func, call *ast.CallExpr) {
	f := syntax.Callee(fn.Info(), call.Fun)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || f.Signature().Recv() != nil || strings.HasPrefix(f.Name(), "Load") {
		return
	}
	address, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok || address.Op != token.AND {
		return
	}
	e := ast.Unparen(address.X)
	v := syntax.Variable(fn.Info(), e)
	if v == nil {
		return
	}
	if of, ok := access.VariableOf(m, fn, e, v); ok {
		tables.Of(m).atomically[of.Key] = true
	}
}

// leftPlain finds the uses without a lock of a variable that others change atomically, where
// the change mends such uses of another field of the struct in the same function.
func (c *comparison) leftPlain(key string) {
	if !changedAtomically(c.after)[key] {
		return
	}
	for _, u := range c.now[key] {
		if plain(c.after, u) && c.plainBeside(u) {
			c.report(LeftOut, u, "%s is used plainly, and changed atomically elsewhere, as the change mends it for what is used beside it", u.Name)
		}
	}
}

// plain reports whether a use is neither atomic nor under a lock, and others may come there.
func plain(m *locks.View, u access.Use) bool {
	return !u.Atomic && !u.Alone && len(guards.LocksHeld(m, u)) == 0
}

// plainBeside reports whether another field of the struct, which others change atomically,
// was used plainly in the function of a use, and is no longer.
func (c *comparison) plainBeside(u access.Use) bool {
	owner := u.Key[:strings.LastIndex(u.Key, ".")+1]
	for key, was := range c.was {
		if key == u.Key || !strings.HasPrefix(key, owner) || !changedAtomically(c.before)[key] {
			continue
		}
		in := func(m *locks.View) func(access.Use) bool {
			return func(o access.Use) bool { return o.In.Name == u.In.Name && plain(m, o) }
		}
		if slices.ContainsFunc(was, in(c.before)) && !slices.ContainsFunc(c.now[key], in(c.after)) {
			return true
		}
	}
	return false
}
