package changes

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// leftCaptured finds the uses without any lock of a variable that goroutines capture, where the change
// puts a lock around another variable that the same goroutines capture, or makes it atomic: what makes the
// one race makes the other race, whether the tests show it or not.
//
// So it is with a variable of another function, whose goroutines are started in a loop.
func (c *comparison) leftCaptured(key string) {
	decl, _, local := strings.Cut(key, ":")
	if !local {
		return
	}
	for _, other := range slices.Sorted(maps.Keys(c.now)) {
		of, _, captured := strings.Cut(other, ":")
		if guarded := c.now[other]; other != key && captured {
			if held, how := c.newlyGuarded(other, guarded); len(held) > 0 && of == decl {
				c.reportCaptured(key, held, how+" what the same goroutines capture")
			} else if len(held) > 0 && c.capturedAgain(held) && c.reportCaptured(key, nil, how+" what goroutines capture elsewhere") {
				return
			}
		}
	}
}

// newlyGuarded are the uses of a variable that the change guards, and how; none: it guards none.
func (c *comparison) newlyGuarded(key string, now []access.Use) (held []access.Use, how string) {
	if was := c.was[key]; len(now) > 0 && now[0].Atomic && len(was) > 0 && !was[0].Atomic {
		return now, "being atomic, as the change makes"
	}
	for _, lock := range guards.KeysAt(c.after, now) {
		held, _ := guards.Part(c.after, now, lock)
		had, _ := guards.Part(c.before, c.was[key], lock)
		if len(held) > len(had) {
			return held, shortKey(lock) + ", which the change puts around"
		}
	}
	return nil, ""
}

// capturedAgain reports whether one of some uses is in a goroutine that runs beside others of its literal.
func (c *comparison) capturedAgain(uses []access.Use) bool {
	return slices.ContainsFunc(uses, func(u access.Use) bool { return c.after.StartedAgain(u.In, u.Obj) })
}

// reportCaptured reports the uses of a variable in the goroutines that the uses of another one, all
// guarded now, are in, if one of them is a write that nothing keeps apart from the others. Where there are no such
// uses it is those in all goroutines, if several run one literal.
func (c *comparison) reportCaptured(key string, guarded []access.Use, without string) (reported bool) {
	in := make(map[*program.Func]bool)
	for _, u := range guarded {
		in[u.In] = true
	}
	var open []access.Use
	used := make(map[*program.Func]bool)
	written, meets := false, false // by whichever goroutine; which runs beside another one
	for _, u := range c.now[key] {
		if guarded != nil && !in[u.In] || guarded == nil && !c.after.StartedAgain(u.In, u.Obj) || u.Atomic || len(guards.LocksHeld(c.after, u)) > 0 {
			continue
		}
		open = append(open, u)
		used[u.In] = true
		written = written || u.Write && c.after.Started(u.In) && byAnyone(u)
		meets = meets || c.after.StartedAgain(u.In, u.Obj)
	}
	if !written || !meets && (guarded == nil || len(used) < 2) {
		return false
	}
	for _, u := range open {
		c.report(LeftOut, u, "%s is %s without %s", u.Name, access.Verb(u), without)
	}
	return true
}

// byAnyone reports whether a write replaces a captured variable's value, and whichever of the goroutines
// that run the literal may come to it: nothing that it is under asks for one of them.
func byAnyone(u access.Use) bool {
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
func asksForOne(fn *program.Func, cond ast.Node) bool {
	return syntax.Any(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.EQL {
				return false
			}
			t, ok := fn.Info().TypeOf(n.X).Underlying().(*types.Basic)
			return ok && t.Info()&types.IsInteger != 0
		case *ast.CallExpr:
			f := syntax.Callee(fn.Info(), n.Fun)
			return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic"
		}
		return false
	})
}
