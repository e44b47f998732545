package outward

import (
	"go/ast"

	"mendel/mutate"
)

// depth is how many functions may hand on what another one has returned. Guessed.
const depth = 3

// Results reports whether what a function returns leaves its package: it is exported, or a function of
// which that is true returns what it has returned, as it is.
func Results(fn *mutate.Function) bool {
	type results struct{ fn *mutate.Function }
	return mutate.Once(fn, results{fn}, func() bool { return reaches(fn, depth, handsOn) })
}

// Called reports whether code of other packages can call a function: it is exported, or a function of which
// that is true does nothing but call it.
func Called(fn *mutate.Function) bool {
	type called struct{ fn *mutate.Function }
	return mutate.Once(fn, called{fn}, func() bool { return reaches(fn, depth, onlyCalls) })
}

// reaches reports whether a function is exported, or one that passes it on is.
func reaches(fn *mutate.Function, depth int, passes func(by, fn *mutate.Function) bool) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || depth == 0 {
		return false
	}
	if decl.Name.IsExported() {
		return true
	}
	for _, by := range fn.Callers() {
		if by != fn && !by.File.Test && passes(by, fn) && reaches(by, depth-1, passes) {
			return true
		}
	}
	return false
}

// handsOn reports whether a function returns what another one has returned, as it is.
func handsOn(by, fn *mutate.Function) bool {
	for _, st := range by.Statements() {
		if ret, ok := st.Stmt.(*ast.ReturnStmt); ok && len(ret.Results) == 1 && calls(by, ret.Results[0], fn) {
			return true
		}
	}
	return false
}

// onlyCalls reports whether all that a function does is call another one.
func onlyCalls(by, fn *mutate.Function) bool {
	if len(by.Body.List) != 1 {
		return false
	}
	switch s := by.Body.List[0].(type) {
	case *ast.ReturnStmt:
		return len(s.Results) == 1 && calls(by, s.Results[0], fn)
	case *ast.ExprStmt:
		return calls(by, s.X, fn)
	}
	return false
}

// calls reports whether an expression is a call of a function.
func calls(by *mutate.Function, e ast.Expr, fn *mutate.Function) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	for _, c := range by.Calls(&ast.ExprStmt{X: call}) {
		if c.Expr == call && c.To == fn {
			return true
		}
	}
	return false
}
