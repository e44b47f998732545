package splits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A section that does itself what follows from what it reads, and leaves, is no part of a split. Who goes on found
// nothing to do, and what comes later gives something back, whatever there is by then:
//
//	mu.Lock()
//	if n := len(idle); n > 0 {
//		c := idle[n-1]
//		idle = idle[:n-1]
//		mu.Unlock()
//		return c
//	}
//	mu.Unlock()
//	c := <-handed
//	mu.Lock()
//	idle = append(idle, c)
//	mu.Unlock()

// givesBack reports whether a write goes by what was read only because the function is left early, where the
// section of the read writes, and only adds to, or takes from, what is there.
func givesBack(m *locks.View, steps []Step, r, w Step) bool {
	if r.Call != nil || !onlyByExit(r, w) || !relative(m, w) {
		return false
	}
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Write && s.Key == r.Key && s.Share(r) && doneBy(r, s) })
}

// onlyByExit reports whether a write neither has what was read nor is under a condition that asks for it.
func onlyByExit(r, w Step) bool {
	t := &taint{info: r.In.Info(), read: r.At, vars: make(map[types.Object]bool)}
	only := true
	syntax.Walk(r.In.Body, func(n ast.Node, path []ast.Node) {
		t.follow(n)
		if e, ok := n.(ast.Expr); ok && e == w.At && (t.decided(path) || t.gives(path, w)) {
			only = false
		}
	})
	return only
}

// doneBy reports whether a write is in the body of an if that asks for what was read, and leaves.
func doneBy(r, s Step) bool {
	t := &taint{info: r.In.Info(), read: r.At, vars: make(map[types.Object]bool)}
	done := false
	syntax.Walk(r.In.Body, func(n ast.Node, _ []ast.Node) {
		t.follow(n)
		if branch, ok := n.(*ast.IfStmt); ok && slices.ContainsFunc(conditions(n), t.in) {
			done = done || syntax.Within[ast.Node](s.At, branch.Body) && program.LeavesAtEnd(t.info, branch.Body.List)
		}
	})
	return done
}

// relative reports whether a write, or all that a call comes to, only adds to what is there, or takes from it.
func relative(m *locks.View, w Step) bool {
	if w.Call == nil {
		return changes(w.In, w.At)
	}
	some := false
	for to := range m.Running(w.Call) {
		for _, u := range UsesOf(m, to) {
			if !u.Write || u.Key != w.Key {
				continue
			}
			if !changes(to, u.At) {
				return false
			}
			some = true
		}
	}
	return some
}

// changes reports whether a write of an expression makes what it becomes of what it was.
func changes(fn *program.Func, e ast.Expr) bool {
	return deletes(fn, e) || syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			return ast.Unparen(n.X) == e
		case *ast.AssignStmt:
			i := slices.IndexFunc(n.Lhs, func(to ast.Expr) bool { return ast.Unparen(to) == e })
			if i < 0 {
				return false
			}
			if n.Tok != token.ASSIGN {
				return n.Tok != token.DEFINE
			}
			return len(n.Lhs) == len(n.Rhs) && ofItself(fn.Info(), n.Rhs[i], e)
		}
		return false
	})
}

// ofItself reports whether a value is an append to a list, or a part of one.
func ofItself(info *types.Info, value, list ast.Expr) bool {
	switch v := ast.Unparen(value).(type) {
	case *ast.SliceExpr:
		return syntax.Same(info, v.X, list)
	case *ast.CallExpr:
		return syntax.Builtin(info, v) == "append" && (syntax.Same(info, v.Args[0], list) || ofItself(info, v.Args[0], list))
	}
	return false
}
