package splits

import (
	"go/ast"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/owned"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// What is taken out of a field under a lock belongs to who has taken it, if all others come to
// it by the field only, while they hold the lock:
//
//	b := j.pending
//	j.pending = nil
//	j.mu.Unlock()
//	err := write(b.events)

// TakenOut reports whether a use is of a value that its function has taken out of a field, and
// all other uses of the variable come to it by the field, in sections that have not ended in
// between.
func TakenOut(m *locks.View, u access.Use, uses []access.Use) bool {
	holder := holderOf(m, u)
	if holder == nil || !replacedBehind(m, u, holder) {
		return false
	}
	key := program.ExprKey(u.In.Info(), holder)
	return !slices.ContainsFunc(uses, func(o access.Use) bool {
		if o.At == u.At {
			return false
		}
		from := holderOf(m, o)
		if from == nil || program.ExprKey(o.In.Info(), from) != key {
			return true
		}
		mine := o.In == u.In && from == holder
		return !mine && !inOneStep(m, o.In, from, o.At)
	})
}

// holderOf is the field by which a use comes to the value that has the variable: it is
// selected from that, or from a local variable that is a copy of it. nil: it is anything else.
func holderOf(m *locks.View, u access.Use) *ast.SelectorExpr {
	sel, ok := ast.Unparen(u.At).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	x := ast.Unparen(sel.X)
	if id, ok := x.(*ast.Ident); ok {
		x = ast.Unparen(m.LocalsOf(u.In).First[u.In.Info().ObjectOf(id)])
	}
	field, ok := x.(*ast.SelectorExpr)
	if !ok || !syntax.Pointer(u.In.Info().TypeOf(field)) {
		return nil
	}
	return field
}

// replacedBehind reports whether a field gets nil or a new value before a use, in the section
// that reads it.
func replacedBehind(m *locks.View, u access.Use, field *ast.SelectorExpr) bool {
	info := u.In.Info()
	return syntax.Any(u.In.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) || a.Pos() < field.End() || u.At.Pos() < a.End() {
			return false
		}
		for i, e := range a.Lhs {
			sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
			if ok && m.PathOf(u.In, sel) == m.PathOf(u.In, field) && (info.Types[a.Rhs[i]].IsNil() || owned.Makes(m, u.In, a.Rhs[i])) {
				return inOneStep(m, u.In, field, e)
			}
		}
		return false
	})
}

// inOneStep reports whether two places of a function are in one section, and nothing between
// them in the text waits for a condition variable: that releases the lock.
func inOneStep(m *locks.View, fn *program.Func, a, b ast.Expr) bool {
	together := slices.ContainsFunc(sectionsAt(m, fn, a), func(name string) bool { return slices.Contains(sectionsAt(m, fn, b), name) })
	return together && !syntax.Any(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < a.End() || b.Pos() < call.End() {
			return false
		}
		f := syntax.Callee(fn.Info(), call.Fun)
		return f != nil && f.FullName() == "(*sync.Cond).Wait"
	})
}
