package clonemap

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// appends clip lists that a function appends to without changing them: where there is room behind a list, all who do so at
// the same time write to the same place.
func appends(fn *mutate.Function) (out []mutate.Edit) {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		var values []ast.Expr
		switch s := st.Stmt.(type) {
		case *ast.ReturnStmt:
			values = s.Results
		case *ast.ExprStmt:
			values = []ast.Expr{s.X}
		case *ast.AssignStmt:
			for i, r := range s.Rhs {
				call, ok := ast.Unparen(r).(*ast.CallExpr)
				if ok && len(s.Lhs) == len(s.Rhs) && syntax.Builtin(info, call) == "append" && types.ExprString(s.Lhs[i]) == types.ExprString(call.Args[0]) {
					continue // it changes the list
				}
				values = append(values, r)
			}
		}
		for _, e := range values {
			out = append(out, clip(fn, st, e)...)
		}
	}
	return out
}

// clip clips the list that an expression appends to, in its calls as well.
func clip(fn *mutate.Function, st mutate.Statement, in ast.Expr) (out []mutate.Edit) {
	info := fn.File.Package.Info
	ast.Inspect(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if _, lit := n.(*ast.FuncLit); lit || !ok || syntax.Builtin(info, call) != "append" || len(call.Args) < 2 {
			return !lit
		}
		f := finder{fn: fn, at: st}
		base := ast.Unparen(call.Args[0])
		v := f.variable(base)
		_, sliced := base.(*ast.SliceExpr)
		if v == nil || sliced || !outer(fn, v) || hidden(fn, "slices", base.Pos()) {
			return true
		}
		e := fn.NewEdit("clonemap", base, st.Stmt)
		e.Form, e.Other, e.Expr = inPlace, fn.ID(st.Stmt), "slices.Clip("+types.ExprString(base)+")"
		e.Note = "memory of its own: others append to " + types.ExprString(base) + ", too"
		out = append(out, warmed(fn, e, v))
		return true
	})
	return out
}

// outer reports whether several calls or goroutines have a variable: a field, a variable of the package, or one that
// a function literal captures.
func outer(fn *mutate.Function, v *types.Var) bool {
	if v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return true
	}
	return v.Pos() < fn.Node.Pos() || fn.Node.End() < v.Pos()
}
