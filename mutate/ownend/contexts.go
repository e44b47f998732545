package ownend

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/starts"
)

// unwaited is what is left of the belief where no goroutine was seen waiting for the
// end of a context; chosen, not measured.
const unwaited = 0.4

// contexts lists the edits of a function that derive a context it was given.
func contexts(fn *mutate.Function) (edits []mutate.Edit) {
	if !returnsValues(fn) {
		return nil
	}
	for _, ctx := range given(fn, syntax.IsContext) {
		at, started := firstStart(fn, ctx)
		if at == nil || len(behind(fn, at)) == 0 || derives(fn, ctx) {
			continue
		}
		anchor := outermost(fn, at)
		if anchor == nil {
			continue
		}
		e := fn.NewEdit("ownend", anchor)
		e.Form, e.Expr, e.Other = formContext, ctx.Name(), fn.ID(at)
		heat := 0.0
		for _, to := range started {
			heat = max(heat, doneHeat(to, 0))
		}
		if e.Heat = max(e.Heat, heat); heat == 0 {
			e.Doubt(unwaited)
		}
		edits = append(edits, e)
	}
	return edits
}

// firstStart is the first statement of a function that hands a variable to a goroutine,
// and what such goroutines run.
func firstStart(fn *mutate.Function, v *types.Var) (first ast.Stmt, started []*mutate.Function) {
	info := fn.File.Package.Info
	for _, s := range starts.Of(fn) {
		if s.To == nil || !syntax.Names(info, s.Stmt, v) {
			continue
		}
		if first == nil {
			first = s.Stmt
		}
		started = append(started, s.To)
	}
	for _, c := range fn.Calls(fn.Body.List...) {
		for _, arg := range c.Expr.Args {
			if !syntax.Is(info, arg, v) {
				continue
			}
			for _, s := range starts.Of(c.To) {
				at := mutate.Innermost(fn.Statements(), c.Expr).Stmt
				if s.To != nil && at != nil {
					if first == nil || at.Pos() < first.Pos() {
						first = at
					}
					started = append(started, s.To)
				}
			}
		}
	}
	return first, started
}

// derives reports whether a function makes a context of one, which it may cancel.
func derives(fn *mutate.Function, ctx *types.Var) (found bool) {
	info := fn.File.Package.Info
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 && syntax.Is(info, call.Args[0], ctx) {
			t, tuple := info.TypeOf(call).(*types.Tuple)
			found = found || tuple && t.Len() > 1 && syntax.IsContext(t.At(0).Type())
		}
		return !found
	})
	return found
}

// maxDepth is how many calls a goroutine's wait is looked for down from what it runs.
const maxDepth = 3

// doneHeat is the heat of the hottest line of a function, or of one that it calls, at
// which a goroutine was seen waiting for the end of a context.
func doneHeat(fn *mutate.Function, depth int) (hottest float64) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			if heat, waits := fn.Narrowing.HeatAt(n.Pos()); waits != "" && endsWithContext(fn, n) {
				hottest = max(hottest, heat)
			}
		case *ast.UnaryExpr:
			if heat, waits := fn.Narrowing.HeatAt(n.Pos()); waits != "" && endsWithContext(fn, n) {
				hottest = max(hottest, heat)
			}
		}
		return true
	})
	if depth < maxDepth {
		for _, c := range fn.Calls(fn.Body.List...) {
			hottest = max(hottest, doneHeat(c.To, depth+1))
		}
	}
	return hottest
}

// endsWithContext reports whether a receive, or one of a select, is from a context's Done.
func endsWithContext(fn *mutate.Function, n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			if call, ok := ast.Unparen(u.X).(*ast.CallExpr); ok {
				f := syntax.Callee(fn.File.Package.Info, call.Fun)
				found = found || f != nil && f.FullName() == "(context.Context).Done"
			}
		}
		return !found
	})
	return found
}

// derive puts the derived context in front of what is started with it.
func derive(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "another edit removed what is started")
	}
	pkg, err := m.Import(e.File, "context")
	if err != nil {
		return err
	}
	cancel := scope.FreeName(fn, "cancel")
	return m.InsertSnippet(e.File, m.Stmt(e.File, e.Node), false,
		e.Expr+", "+cancel+" := "+pkg+".WithCancel("+e.Expr+")\ndefer "+cancel+"()")
}
