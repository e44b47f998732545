package syntax

import (
	"go/ast"
	"slices"
)

// Now visits what runs when a statement runs: not what it starts, defers or only
// writes down as a function literal.
func Now(n ast.Node, visit func(ast.Node)) {
	path := make([]ast.Node, 0, 16)
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		var parent ast.Node
		if len(path) > 0 {
			parent = path[len(path)-1]
		}
		switch x := n.(type) {
		case *ast.FuncLit:
			if call, passed := parent.(*ast.CallExpr); !passed || StartsArgument(call) {
				return false
			}
		case *ast.CallExpr:
			if Later(parent) {
				for _, arg := range x.Args {
					if _, lit := arg.(*ast.FuncLit); !lit {
						Now(arg, visit)
					}
				}
				return false
			}
		}
		visit(n)
		path = append(path, n)
		return true
	})
}

// Later reports whether a node is a go or defer statement, whose call runs
// elsewhere.
func Later(n ast.Node) bool {
	switch n.(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// HasDefault reports whether a select never waits.
func HasDefault(s *ast.SelectStmt) bool {
	return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil })
}

// Polls notes the operations of a select's cases, which do not wait by themselves.
func Polls(s *ast.SelectStmt, polled map[ast.Node]bool) {
	for _, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		ast.Inspect(comm, func(n ast.Node) bool {
			if _, literal := n.(*ast.FuncLit); literal || n == nil {
				return false
			}
			polled[n] = true
			return true
		})
	}
}
