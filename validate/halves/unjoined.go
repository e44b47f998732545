package halves

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// unjoined finds variables of functions that a patch guards with a lock, where the function does not wait for the
// goroutines that set them: what it reads then is what has been set by chance.
//
//	go func() {                             go func() {
//		total = count(rest)                     n := count(rest)
//	}()                                         mu.Lock()
//	return total + count(first)       →         total = n
//	                                            mu.Unlock()
//	                                        }()
//	                                        mu.Lock()
//	                                        defer mu.Unlock()
//	                                        return total + count(first)
func unjoined(c *pair.Change) (found []pair.Finding) {
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) || pair.LockCalls(fn) <= pair.LockCalls(was) {
			continue
		}
		for v, from := range setByGoroutines(fn) {
			if at := readLater(fn, v, from); at.IsValid() && !waitsBetween(fn, from, at) {
				f := c.At(fn, at, "%s is read, and nobody waits for the goroutines that set it", v.Name())
				f.Flag = mutate.Unawaited
				found = append(found, f)
			}
		}
	}
	return found
}

// setByGoroutines are the local variables that goroutines of a function set, with where the first of these begins.
func setByGoroutines(fn *pair.Function) map[*types.Var]token.Pos {
	found := map[*types.Var]token.Pos{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		start, ok := n.(*ast.GoStmt)
		if !ok {
			return true
		}
		lit, ok := start.Call.Fun.(*ast.FuncLit)
		if !ok {
			return false
		}
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			s, ok := n.(ast.Stmt)
			if !ok {
				return true
			}
			for _, e := range syntax.Assigned(s) {
				v, ok := pair.RootVar(fn, e).(*types.Var)
				if ok && v.Kind() == types.LocalVar && (v.Pos() < lit.Pos() || v.Pos() > lit.End()) && !found[v].IsValid() {
					found[v] = start.End()
				}
			}
			return true
		})
		return false
	})
	return found
}

// readLater is where a function's own text, that of its goroutines and deferred calls left out, names a variable behind a
// place and does not assign to it; NoPos: it does not.
func readLater(fn *pair.Function, v *types.Var, behind token.Pos) (at token.Pos) {
	assigned := map[ast.Expr]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if at.IsValid() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				assigned[e] = n.Tok == token.ASSIGN
			}
		case *ast.Ident:
			if n.Pos() > behind && fn.Info().Uses[n] == v && !assigned[n] {
				at = n.Pos()
			}
		}
		return true
	})
	return at
}

// waitsBetween reports whether a function waits for others between two places, or asks whether they have come.
func waitsBetween(fn *pair.Function, from, to token.Pos) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() < from || n.Pos() > to {
			return false
		}
		_, selects := n.(*ast.SelectStmt)
		return selects || waitsAt(fn, n)
	})
}
