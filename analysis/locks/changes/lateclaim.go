package changes

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
	"mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
)

// lateClaims finds atomic variables that a function asks first, and by which the change has it find out only later
// that another goroutine was first: code of others that runs between the two runs for both.
//
//	if p.released.Load() {
//		return false
//	}
//	p.onRelease()
//	if p.released.Swap(true) {
//		return false
//	}
func (c *comparison) lateClaims() {
	had := claimedLate(c.before)
	now := claimedLate(c.after)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if _, known := had[key]; !known {
			u := now[key]
			c.report(SplitSection, u, "%s is asked, and claimed only behind what runs code of others: that runs for all who have asked", u.Name)
		}
	}
}

// claimedLate are the claims, by function and variable.
func claimedLate(m *locks.View) map[string]access.Use {
	found := make(map[string]access.Use)
	byFunc := make(map[*program.Func][]access.Use)
	for _, u := range access.List(m) {
		if u.Atomic && !u.Alone && leavesBy(u.In, u.At) {
			byFunc[u.In] = append(byFunc[u.In], u)
		}
	}
	for fn, uses := range byFunc {
		for _, claim := range uses {
			if !claim.Write {
				continue
			}
			foreign := func(asked access.Use) bool {
				return slices.ContainsFunc(waits.PausesIn(m, fn), func(p waits.Pause) bool { return p.Foreign && between(asked.At, p.At, claim.At) })
			}
			if slices.ContainsFunc(uses, func(u access.Use) bool { return !u.Write && u.Key == claim.Key && foreign(u) }) {
				found[fn.Name+" "+claim.Key] = claim
			}
		}
	}
	return found
}

// between reports whether a node stands between two others.
func between(a, n, b ast.Node) bool { return a.End() <= n.Pos() && n.End() <= b.Pos() }

// takenBack finds atomic counters to which the change has a function add before it knows whether there is room, and
// take the number back where there is none: meanwhile others are refused for what was never admitted.
func (c *comparison) takenBack() {
	had, now := undone(c.before), undone(c.after)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if _, known := had[key]; !known {
			u := now[key]
			c.report(SplitSection, u, "%s is added to and taken back where that is too much: others see in between what was never admitted", u.Name)
		}
	}
}

// undone are the uses of atomic counters that take back what was added, before the function is left, by function and
// variable.
func undone(m *locks.View) map[string]access.Use {
	found := make(map[string]access.Use)
	added := make(map[*program.Func][]access.Use)
	for _, u := range access.List(m) {
		if !u.Atomic || u.Alone || !u.Write {
			continue
		}
		n := addedTo(u)
		undoes := func(o access.Use) bool { return o.Key == u.Key && n == "-"+addedTo(o) && leavesBehind(u.In, u.At) }
		if n != "" && slices.ContainsFunc(added[u.In], undoes) {
			found[u.In.Name+" "+u.Key] = u
		}
		added[u.In] = append(added[u.In], u)
	}
	return found
}

// addedTo is what a use adds to an atomic counter, as it is written; "": it does something else.
func addedTo(u access.Use) (n string) {
	ast.Inspect(u.In.Body, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "Add" && ast.Unparen(sel.X) == u.At {
			n = types.ExprString(call.Args[0])
		}
		return n == ""
	})
	return n
}

// leavesBehind reports whether an expression is in the body of an if that ends by leaving the function.
func leavesBehind(fn *program.Func, e ast.Expr) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		return ok && s.Body.Pos() <= e.Pos() && e.End() <= s.Body.End() && program.LeavesAtEnd(fn.Info(), s.Body.List)
	})
}
