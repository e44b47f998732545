package halves

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// adds finds goroutines that are left to count themselves in a wait group, where the patch
// counts others of the program before they start: Wait may come first.
func adds(c *pair.Change) (found []pair.Finding) {
	mended := false
	count := func(v *pair.Version) map[string]int {
		n := map[string]int{}
		for _, a := range lateAddsIn(v) {
			n[a.in.FullName]++
		}
		return n
	}
	was, now := count(c.Before), count(c.After)
	for name, n := range was {
		mended = mended || now[name] < n && c.After.Named[name] != nil
	}
	if !mended {
		return nil
	}
	for _, a := range lateAddsIn(c.After) {
		if was[a.in.FullName] > 0 {
			found = append(found, c.At(a.in, a.call.Pos(), "%s is called in the goroutine that it counts, as the patch mends it elsewhere", types.ExprString(a.call.Fun)))
		}
	}
	return found
}

// A lateAdd is a call of Add by the goroutine that it is for.
type lateAdd struct {
	in   *pair.Function
	call *ast.CallExpr
}

// lateAddsIn lists them: of literals that go statements run, and of functions that they call, with a
// deferred Done of the group in the same list of statements.
func lateAddsIn(v *pair.Version) (all []lateAdd) {
	started := map[*types.Func]bool{}
	for _, fn := range v.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			g, ok := n.(*ast.GoStmt)
			if !ok {
				return true
			}
			if lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit); ok {
				all = append(all, countsItself(fn, lit.Body)...)
			} else if f := syntax.Callee(fn.Info(), g.Call.Fun); f != nil {
				started[f.Origin()] = true
			}
			return true
		})
	}
	for _, fn := range v.Funcs {
		if f, ok := fn.Info().Defs[fn.Name].(*types.Func); ok && started[f] {
			all = append(all, countsItself(fn, fn.Body)...)
		}
	}
	return all
}

// countsItself are the calls of Add at the top of a body with a deferred Done of the same group there.
func countsItself(fn *pair.Function, body *ast.BlockStmt) (all []lateAdd) {
	groups := map[string]bool{}
	for _, s := range body.List {
		if d, ok := s.(*ast.DeferStmt); ok {
			if group, method := groupMethod(fn, d.Call); method == "Done" {
				groups[group] = true
			}
		}
	}
	for _, s := range body.List {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if call, ok := ast.Unparen(e.X).(*ast.CallExpr); ok {
			if group, method := groupMethod(fn, call); method == "Add" && groups[group] {
				all = append(all, lateAdd{fn, call})
			}
		}
	}
	return all
}

// groupMethod is the method of a wait group that a call is of, and the group as it is written.
func groupMethod(fn *pair.Function, call *ast.CallExpr) (group, method string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	f := syntax.Callee(fn.Info(), sel)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return "", ""
	}
	recv := f.Signature().Recv()
	if recv == nil || types.TypeString(recv.Type(), nil) != "*sync.WaitGroup" {
		return "", ""
	}
	return types.ExprString(sel.X), f.Name()
}
