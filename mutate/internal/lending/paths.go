package lending

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
)

// Reaches reports whether what stands behind a node with others around it may be another
// node: in the rest of a statement list, unless the path ends before.
func Reaches(from ast.Node, path []ast.Node, to ast.Node) bool {
	inner := from
	for _, n := range slices.Backward(path) {
		list := ListOf(n)
		at := slices.IndexFunc(list, func(s ast.Stmt) bool { return s.Pos() <= inner.Pos() && inner.End() <= s.End() })
		if c, ok := n.(*ast.CommClause); ok && c.Comm != nil && syntax.Within(inner, ast.Node(c.Comm)) {
			at = 0
			list = append([]ast.Stmt{c.Comm}, list...)
		}
		if at >= 0 {
			rest := list[at+1:]
			if slices.ContainsFunc(rest, func(s ast.Stmt) bool { return syntax.Within(to, ast.Node(s)) }) {
				return true
			}
			if slices.ContainsFunc(list[at:], leaves) {
				return false
			}
		}
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		inner = n
	}
	return false
}

// ListOf is the statement list of a node; nil: it has none.
func ListOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		if len(n.List) > 0 && syntax.IsClause(n.List[0]) {
			return nil
		}
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// leaves reports whether a statement leaves its list for certain.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}
