package splits

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A section is not split where it claims what the later one does: it tests a variable and
// sets it to a value for which the test leaves. Nobody else passes the test until the
// later section sets another value.
//
//	mu.Lock()
//	if state != open {
//		mu.Unlock()
//		return
//	}
//	state = closing
//	mu.Unlock()
//	wait()
//	mu.Lock()
//	state = closed
//	mu.Unlock()

// claimed reports whether the section of a read claims what a later write does.
func claimed(m *locks.View, steps []Step, r, w Step) bool {
	if w.Call != nil || r.Call != nil || constantAt(w) == nil {
		return false
	}
	return slices.ContainsFunc(steps, func(c Step) bool {
		set := c.Write && c.Call == nil && c.Key == r.Key && c.Share(r) && r.At.Pos() < c.At.Pos() && c.At.Pos() < w.At.Pos()
		return set && !Elsewhere(m, r, c) && leavesFor(r, w, constantAt(c))
	})
}

// constantAt is the constant that a write assigns; nil: it assigns something else.
func constantAt(w Step) (value constant.Value) {
	info := w.In.Info()
	ast.Inspect(w.In.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && a.Tok == token.ASSIGN && len(a.Lhs) == len(a.Rhs) {
			if i := slices.Index(a.Lhs, w.At); i >= 0 {
				value = info.Types[a.Rhs[i]].Value
			}
		}
		return value == nil
	})
	return value
}

// leavesFor reports whether a function is left between a read and a write whenever what is
// read has a value.
func leavesFor(r, w Step, value constant.Value) bool {
	if value == nil {
		return false
	}
	info := r.In.Info()
	t := &taint{info: info, read: r.At, vars: make(map[types.Object]bool)}
	known := func(e ast.Expr) constant.Value {
		if id, ok := e.(*ast.Ident); e == r.At || ok && t.vars[info.ObjectOf(id)] {
			return value
		}
		return nil
	}
	leaves := false
	ast.Inspect(r.In.Body, func(n ast.Node) bool {
		if n == nil || leaves || n.Pos() >= w.At.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for i, e := range n.Rhs {
				if len(n.Lhs) == len(n.Rhs) && ast.Unparen(e) == r.At {
					t.add(n.Lhs[i])
				}
			}
		case *ast.IfStmt:
			v := syntax.Evaluate(info, n.Cond, known)
			leaves = v != nil && constant.BoolVal(v) && n.End() <= w.At.Pos() && program.LeavesAtEnd(info, n.Body.List)
		case *ast.SwitchStmt:
			leaves = n.Tag != nil && n.End() <= w.At.Pos() && slices.ContainsFunc(n.Body.List, func(s ast.Stmt) bool {
				c := s.(*ast.CaseClause)
				return program.LeavesAtEnd(info, c.Body) && slices.ContainsFunc(c.List, func(e ast.Expr) bool {
					return syntax.Equal(syntax.Evaluate(info, n.Tag, known), syntax.Evaluate(info, e, known))
				})
			})
		}
		return !leaves
	})
	return leaves
}
