package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"mendel/analysis/syntax"
)

// Means reports whether an expression of names and selectors that the function
// uses means the same at another position of its file: the variable it starts
// with is in scope there under its name.
func (fn *Function) Means(e ast.Expr, at token.Pos) bool {
	root := fn.Path(e).Root
	if root == nil {
		return false
	}
	inner := fn.File.Package.Types.Scope().Innermost(at)
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(root.Name(), at)
	return found == root
}

// FreeName is the first of name, name2, name3 ... that neither the declaration
// around the function nor its package nor its file uses for anything.
func (fn *Function) FreeName(name string) string {
	used := fn.Program.NamesAt(fn.File, fn.Node.Pos())
	inner := fn.File.Package.Types.Scope().Innermost(fn.Body.Pos())
	free := func(name string) bool {
		if used[name] {
			return false
		}
		if inner == nil {
			return types.Universe.Lookup(name) == nil
		}
		_, found := inner.LookupParent(name, token.NoPos)
		return found == nil
	}
	candidate := name
	for i := 2; !free(candidate); i++ {
		candidate = name + strconv.Itoa(i)
	}
	return candidate
}

// Loops reports whether a node of the function's own is inside a loop of it.
func (fn *Function) Loops(n ast.Node) bool {
	return slices.ContainsFunc(loopBodies.Of(fn), func(body *ast.BlockStmt) bool {
		return body.Pos() <= n.Pos() && n.End() <= body.End()
	})
}

// loopBodies are those of a function's own loops.
var loopBodies = NewFact(func(fn *Function) []*ast.BlockStmt {
	var bodies []*ast.BlockStmt
	syntax.WalkOwn(fn.Body, func(n ast.Node, _ []ast.Node) {
		switch loop := n.(type) {
		case *ast.ForStmt:
			bodies = append(bodies, loop.Body)
		case *ast.RangeStmt:
			bodies = append(bodies, loop.Body)
		}
	})
	return bodies
})

// HeatAt is the heat of the line that a position of the program is on, and
// what a failure says a goroutine waits for there; "" if none does.
func (fn *Function) HeatAt(pos token.Pos) (heat float64, waits string) {
	at := fn.Program.Fset.PositionFor(pos, false)
	return fn.Narrowing.Heat(at.Filename, at.Line), fn.Narrowing.Waits(at.Filename, at.Line)
}

// Constant reports whether an expression is the same whenever it is evaluated: a
// constant, nil, or a literal without elements.
func (fn *Function) Constant(e ast.Expr) bool {
	tv := fn.File.Package.Info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0
}
