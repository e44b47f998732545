package rules

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
)

// What stands behind an early exit is done only sometimes, as what stands under a condition is:
//
//	if known {                              if !known {
//		return ErrKnown                       q.states[id] = Waiting
//	}                                 →     }
//	q.states[id] = Waiting
//
// So of a patch that somebody has made, an effect is done as surely as before if it is under no
// more conditions. Which these are is not compared, but for that by which the original leaves.

// under reads what stands under a condition.
func (r *effectCollector) under(read func()) {
	guards, against := r.guards, r.against
	r.guards++
	read()
	r.guards, r.against = guards, against
}

// exitsEarly reports whether a statement leads out of its list on some ways through it, and not on all.
func exitsEarly(s ast.Stmt) bool {
	if leaves(s) {
		return false
	}
	found := false
	syntax.Walk(s, func(n ast.Node, path []ast.Node) {
		inside := func(kind func(ast.Node) bool) bool { return slices.ContainsFunc(path, kind) }
		switch n := n.(type) {
		case *ast.ReturnStmt:
			found = found || !inside(isLit)
		case *ast.BranchStmt:
			found = found || !inside(isLit) && !inside(isLoop) && (n.Tok != token.BREAK || !inside(isChoice))
		}
	})
	return found
}

func isLit(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok }

func isLoop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

func isChoice(n ast.Node) bool {
	switch n.(type) {
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

// asGuarded counts the effects that are under a condition now, and were under as many where they stood
// behind early exits: in the same function, if they were done in that.
func (s *sources) asGuarded(sure, after []effect) (n int) {
	if s.reads == nil {
		return 0
	}
	left := slices.SortedFunc(slices.Values(sure), func(a, b effect) int { return a.guards - b.guards })
	take := func(d effect, least int) bool {
		here := func(o effect) bool { return o.in == d.in }
		elsewhere := !slices.ContainsFunc(sure, here)
		i := slices.IndexFunc(left, func(o effect) bool { return o.guards >= least && (elsewhere || here(o)) })
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	}
	for _, d := range certain(after) {
		take(d, 0)
	}
	for _, d := range after {
		if !d.certain && !d.missing && !d.against && take(d, d.guards) {
			n++
		}
	}
	return n
}
