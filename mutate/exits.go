package mutate

import (
	"go/ast"
	"go/token"
)

// Exits lists the statements inside some consecutive statements that leave
// them other than by running on to their end, in source order: returns,
// breaks, continues and gotos to what is outside, and calls that end the
// goroutine, panic among them. Calls that end the process are left out: no
// lock matters after them. Function literals are not looked into.
func (fn *Function) Exits(stmts ...ast.Stmt) []ast.Stmt {
	labels := map[string]bool{}
	for _, s := range stmts {
		inspect(s, func(n ast.Node, _ []ast.Node) {
			if l, ok := n.(*ast.LabeledStmt); ok {
				labels[l.Label.Name] = true
			}
		})
	}
	var exits []ast.Stmt
	for _, s := range stmts {
		inspect(s, func(n ast.Node, path []ast.Node) {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				exits = append(exits, n)
			case *ast.ExprStmt:
				if fn.noReturn(n.X) && !fn.endsProcess(n.X) {
					exits = append(exits, n)
				}
			case *ast.BranchStmt:
				if n.Tok != token.FALLTHROUGH && !staysInside(n, path, labels) {
					exits = append(exits, n)
				}
			}
		})
	}
	return exits
}

// staysInside reports whether a branch ends at a statement of path, the nodes
// around it, or at one of the labels.
func staysInside(b *ast.BranchStmt, path []ast.Node, labels map[string]bool) bool {
	if b.Label != nil {
		return labels[b.Label.Name]
	}
	for _, n := range path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if b.Tok == token.BREAK {
				return true
			}
		}
	}
	return false
}

// inspect walks a tree in source order with the nodes around each, outermost
// first, and leaves function literals out.
func inspect(n ast.Node, visit func(n ast.Node, path []ast.Node)) {
	if n == nil {
		return
	}
	path := make([]ast.Node, 0, 16)
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		visit(n, path)
		path = append(path, n)
		return true
	})
}

// HasGotoTarget reports whether statements contain a label that a goto of the
// function names.
func (fn *Function) HasGotoTarget(stmts ...ast.Stmt) bool {
	gotos := fn.gotoLabels()
	found := false
	for _, s := range stmts {
		inspect(s, func(n ast.Node, _ []ast.Node) {
			if l, ok := n.(*ast.LabeledStmt); ok && gotos[l.Label.Name] {
				found = true
			}
		})
	}
	return found
}

// gotoLabels are the labels that the function's gotos name.
func (fn *Function) gotoLabels() map[string]bool {
	type gotosOf struct{ fn *Function }
	return Once(fn, gotosOf{fn}, func() map[string]bool {
		labels := map[string]bool{}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO && b.Label != nil {
				labels[b.Label.Name] = true
			}
			return true
		})
		return labels
	})
}

// PlainExit reports whether an exit evaluates nothing that a lock could
// matter to: no shared variable, and no call but one of a library's function.
func (fn *Function) PlainExit(exit ast.Stmt) bool {
	if _, ok := exit.(*ast.BranchStmt); ok {
		return true
	}
	return !fn.Matters(exit)
}
