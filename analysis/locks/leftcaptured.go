package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
)

// leftCaptured finds the uses without any lock of a variable that goroutines capture, where the change
// puts a lock around another variable that the same goroutines capture, or makes it atomic: what makes the
// one race makes the other race, whether the tests show it or not.
func (c *comparison) leftCaptured(key string) {
	decl, _, local := strings.Cut(key, ":")
	if !local {
		return
	}
	for other, guarded := range c.now {
		if other == key || !strings.HasPrefix(other, decl+":") {
			continue
		}
		if was := c.was[other]; len(guarded) > 0 && guarded[0].Atomic && len(was) > 0 && !was[0].Atomic {
			c.reportCaptured(key, guarded, "being atomic, as the change makes what the same goroutines capture")
			continue
		}
		for _, lock := range c.after.keysAt(guarded) {
			held, _ := c.after.held(guarded, lock)
			had, _ := c.before.held(c.was[other], lock)
			if len(held) > len(had) {
				c.reportCaptured(key, held, shortKey(lock)+", which the change puts around what the same goroutines capture")
			}
		}
	}
}

// reportCaptured reports the uses of a variable in the goroutines that the uses of another one, all
// guarded now, are in, if one of them is a write that nothing keeps apart from the others.
func (c *comparison) reportCaptured(key string, guarded []Use, without string) {
	in := make(map[*Func]bool)
	for _, u := range guarded {
		in[u.In] = true
	}
	var open []Use
	used := make(map[*Func]bool)
	written, meets := false, false // by whichever goroutine; which runs beside another one
	for _, u := range c.now[key] {
		if !in[u.In] || u.Atomic || len(c.after.LocksAt(u)) > 0 {
			continue
		}
		open = append(open, u)
		used[u.In] = true
		written = written || u.Write && c.after.startedAt(u.In) && byAnyone(u)
		meets = meets || c.after.startedAgain(u.In, u.obj)
	}
	if !written || !meets && len(used) < 2 {
		return
	}
	for _, u := range open {
		c.report(LeftOut, u, "%s is %s without %s", u.Name, verb(u), without)
	}
}

// byAnyone reports whether a write replaces a captured variable's value, and whichever of the goroutines
// that run the literal may come to it: nothing that it is under asks for one of them.
func byAnyone(u Use) bool {
	replaced, free := false, true
	syntax.Walk(u.In.Body, func(n ast.Node, _ []ast.Node) {
		s, ok := n.(ast.Stmt)
		if !ok || u.At.Pos() < n.Pos() || n.End() < u.At.End() {
			return
		}
		for _, e := range syntax.Assigned(s) {
			replaced = replaced || ast.Unparen(e) == u.At
		}
		switch s := s.(type) {
		case *ast.IfStmt:
			free = free && !asksForOne(u.In, s.Cond) && (s.Init == nil || !asksForOne(u.In, s.Init))
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			free = false
		}
	})
	return replaced && free
}

// asksForOne reports whether a condition may hold in one goroutine only: it compares an integer, as an
// index is compared, or asks what changes as it is asked.
func asksForOne(fn *Func, cond ast.Node) bool {
	return syntax.Any(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.EQL {
				return false
			}
			t, ok := fn.info().TypeOf(n.X).Underlying().(*types.Basic)
			return ok && t.Info()&types.IsInteger != 0
		case *ast.CallExpr:
			f := syntax.Callee(fn.info(), n.Fun)
			return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic"
		}
		return false
	})
}
