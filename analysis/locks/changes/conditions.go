package changes

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A condition is a sync.Cond of the program: who waits for what, and who wakes them.
type condition struct {
	key   string
	waits []waiter
	wakes []wake
}

// A waiter is a loop that waits for a condition variable.
type waiter struct {
	in   *program.Func
	vars map[string]bool // that it asks about, by key
	own  bool            // it asks for something of its own, too: a parameter or local variable
}

// A wake is a call of Signal or Broadcast.
type wake struct {
	in   *program.Func
	at   *ast.CallExpr
	one  bool
	when string // the conditions around it
}

// conditionsOf finds the condition variables of the program, tests left out, by key.
func conditionsOf(m *locks.View) map[string]*condition {
	found := make(map[string]*condition)
	for _, fn := range m.Shipped() {
		syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || slices.ContainsFunc(path, func(n ast.Node) bool { _, lit := n.(*ast.FuncLit); return lit }) {
				return
			}
			f := syntax.Callee(fn.Info(), call.Fun)
			if f == nil || !strings.HasPrefix(f.FullName(), "(*sync.Cond).") {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return
			}
			key := program.ExprKey(fn.Info(), sel.X)
			c := found[key]
			if c == nil {
				c = &condition{key: key}
				found[key] = c
			}
			switch f.Name() {
			case "Wait":
				c.waits = append(c.waits, waiterAt(m, fn, path))
			default:
				c.wakes = append(c.wakes, wake{fn, call, f.Name() == "Signal", conditionsAround(path)})
			}
		})
	}
	return found
}

// waiterAt is the innermost loop on the way to a wait.
func waiterAt(m *locks.View, fn *program.Func, path []ast.Node) waiter {
	w := waiter{in: fn, vars: make(map[string]bool)}
	for i := len(path) - 1; i >= 0; i-- {
		loop, ok := path[i].(*ast.ForStmt)
		if !ok || loop.Cond == nil {
			continue
		}
		w.asks(m, fn, loop.Cond)
		break
	}
	return w
}

func (w *waiter) asks(m *locks.View, fn *program.Func, cond ast.Expr) {
	info := fn.Info()
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
				w.vars[program.ExprKey(info, n)] = true
				return false
			}
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			if ok && !v.IsField() && v != fn.Recv && v.Parent() != v.Pkg().Scope() {
				w.own = true
			}
		}
		return true
	})
}

// several reports whether waiters may wait for different things, so that to wake one of
// them may wake the wrong one.
func (c *condition) several() bool {
	for _, w := range c.waits {
		if w.own {
			return true
		}
		if len(sameKeys(w.vars, c.waits[0].vars)) > 0 {
			return true
		}
	}
	return false
}

// sameKeys are the keys that only one of two sets has.
func sameKeys(a, b map[string]bool) []string {
	var list []string
	for key := range a {
		if !b[key] {
			list = append(list, key)
		}
	}
	for key := range b {
		if !a[key] {
			list = append(list, key)
		}
	}
	return list
}

// conditionsAround are the conditions of the if statements on a path, as text.
func conditionsAround(path []ast.Node) string {
	var b strings.Builder
	for _, n := range path {
		if s, ok := n.(*ast.IfStmt); ok {
			b.WriteString(types.ExprString(s.Cond) + ";")
		}
	}
	return b.String()
}

// A silence is a function that changes what waiters ask about and wakes none of them.
type silence struct {
	fn *program.Func
	of access.Use
}

// silent finds the functions that take a lock and change what the waiters of a condition
// variable ask about, by the same statement as another one that wakes them, and wake nobody.
func silent(m *locks.View, of *condition) []silence {
	asked := make(map[string]bool)
	for _, w := range of.waits {
		for key := range w.vars {
			asked[key] = true
		}
	}
	writes := make(map[*program.Func][]access.Use)
	for _, u := range access.List(m) {
		if u.Write && !u.Alone && asked[u.Key] {
			writes[u.In] = append(writes[u.In], u)
		}
	}
	type section struct {
		fn    *program.Func
		sites []access.Use
	}
	var quiet []section
	woken := make(map[ast.Expr]bool) // writes after which somebody is woken
	for _, fn := range m.Shipped() {
		if len(m.Index().Keys[fn]) == 0 {
			continue
		}
		s, wakes := section{fn: fn}, false
		for to := range m.Running(fn) {
			s.sites = append(s.sites, writes[to]...)
			wakes = wakes || slices.ContainsFunc(of.wakes, func(w wake) bool { return w.in == to })
		}
		if !wakes {
			quiet = append(quiet, s)
			continue
		}
		for _, u := range s.sites {
			woken[u.At] = true
		}
	}
	var list []silence
	for _, s := range quiet {
		for _, u := range s.sites {
			if woken[u.At] {
				list = append(list, silence{s.fn, u})
			}
		}
	}
	slices.SortFunc(list, func(a, b silence) int {
		return cmp.Or(cmp.Compare(a.fn.Id, b.fn.Id), cmp.Compare(a.of.At.Pos(), b.of.At.Pos()))
	})
	return list
}
