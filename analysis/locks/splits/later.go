package splits

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/syntax"
)

// What a section reads first is no part of a split if a later one reads it again before the write, and leaves by
// it. Whether the write follows from that read in one section is the question then:
//
//	mu.RLock()
//	v, ok := known[key]
//	mu.RUnlock()
//	if ok {
//		return v
//	}
//	mu.Lock()
//	if v, ok := known[key]; ok || loading[key] {
//		mu.Unlock()
//		return v
//	}
//	loading[key] = true
//	…

// askedLater reports whether what was read is asked again in another section on all ways to a write, which has
// nothing of what was read first.
func askedLater(m *locks.View, steps []Step, r, w Step) bool {
	return r.Call == nil && slices.ContainsFunc(steps, func(s Step) bool {
		return !s.Write && s.Key == r.Key && r.At.End() < s.At.Pos() && s.At.End() < w.At.Pos() &&
			!s.Share(r) && !s.Share(w) && s.Common(w) != "" && !Elsewhere(m, r, s) &&
			decidesBy(m, s) && leavesOn(s, w) && onAllWays(s, w) && !hasOld(r, s, w)
	})
}

// onAllWays reports whether a function passes a step before it comes to a later one: no condition decides whether
// it does that does not decide about the later one, too.
func onAllWays(s, w Step) bool {
	path := syntax.Path(s.In.Body, s.At)
	inside := func(n ast.Node) bool { return n != nil && n.Pos() <= s.At.Pos() && s.At.End() <= n.End() }
	return !slices.ContainsFunc(path, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			return !syntax.Within[ast.Node](w.At, n.Body) && inside(n.Body) || n.Else != nil && inside(n.Else) && !syntax.Within[ast.Node](w.At, n.Else)
		case *ast.ForStmt:
			return n.Cond != nil && inside(n.Body) && !syntax.Within[ast.Node](w.At, n)
		case *ast.RangeStmt:
			return inside(n.Body) && !syntax.Within[ast.Node](w.At, n)
		case *ast.CaseClause, *ast.CommClause, *ast.FuncLit:
			return !syntax.Within[ast.Node](w.At, n)
		}
		return false
	})
}

// hasOld reports whether a write is given what was read first. A variable that has become something else, by the
// later read for one, has it no more.
func hasOld(r, again, w Step) (has bool) {
	t := &taint{info: r.In.Info(), read: r.At, vars: make(map[types.Object]bool)}
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		t.follow(n)
		a, ok := n.(*ast.AssignStmt)
		if ok && (syntax.Within[ast.Node](again.At, a) || !slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return t.in(e) })) {
			for _, e := range a.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					delete(t.vars, t.info.ObjectOf(id))
				}
			}
		}
		if e, ok := n.(ast.Expr); ok && e == w.At {
			has = has || t.gives(path, w)
		}
	})
	return has
}
