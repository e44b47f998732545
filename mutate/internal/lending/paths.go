package lending

import (
	"go/ast"
	"go/token"
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

// Waits reports whether the function waits for goroutines between a node, which starts one,
// and wherever a lender's memory is used again.
func (f *Finder) Waits(l *Lender, start ast.Node) bool {
	var waits []ast.Node
	for n := range ast.Preorder(f.Decl.Body) {
		if n != nil && n.Pos() > start.End() && ends(n) {
			waits = append(waits, n)
		}
	}
	return len(waits) > 0 && !slices.ContainsFunc(l.Given, func(g Given) bool {
		return !slices.ContainsFunc(waits, func(wait ast.Node) bool { return f.between(start, wait, g) })
	})
}

// ends reports whether a node waits for others: a call of a method Wait, or a receive.
func ends(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Wait"
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	}
	return false
}

// between reports whether a wait stands between a start and where memory is used again, also
// in the next turn of a loop.
func (f *Finder) between(start, wait ast.Node, g Given) bool {
	for _, n := range g.Path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if syntax.Within(start, n) && !syntax.Within(wait, n) {
				return g.At.Pos() > wait.Pos()
			}
		}
	}
	return g.Deferred || g.At.Pos() > wait.Pos() || g.At.Pos() < start.Pos()
}
