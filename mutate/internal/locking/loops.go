package locking

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// blind is what is left of the belief in a section that keeps what its goroutines change from a loop that
// asks for it. Guessed.
const blind = 0.3

// Blind reports whether some statements have a loop that reads what the goroutines change which it starts. Under a
// lock that they need it never sees that: they go on when the loop has ended.
func Blind(fn *mutate.Function, stmts []ast.Stmt) bool {
	return slices.ContainsFunc(stmts, func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				return readsStarted(fn.File.Package.Info, n)
			}
			return false
		})
	})
}

// readsStarted reports whether a loop reads by itself what literals assign to that it starts.
func readsStarted(info *types.Info, loop ast.Node) bool {
	changed := make(map[types.Object]bool)
	var started []*ast.FuncLit
	ast.Inspect(loop, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		lit, ok := ast.Unparen(syntax.Started(info, n)).(*ast.FuncLit)
		if !ok {
			return true
		}
		started = append(started, lit)
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			if s, ok := n.(ast.Stmt); ok {
				for _, lhs := range syntax.Assigned(s) {
					if v := syntax.Variable(info, lhs); v != nil && (v.Pos() < lit.Pos() || v.Pos() >= lit.End()) {
						changed[v] = true
					}
				}
			}
			return true
		})
		return true
	})
	if len(changed) == 0 {
		return false
	}
	return syntax.Any(loop, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && changed[info.Uses[id]] && !slices.ContainsFunc(started, func(lit *ast.FuncLit) bool { return syntax.Within(n, ast.Node(lit)) })
	})
}
