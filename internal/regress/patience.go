package regress

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"mendel/analysis"
)

// shortestSaid is how long a text must be to be recognised.
const shortestSaid = 4

// patience is what test files say where they wait no longer: in the case of a select for a
// timer or the end of a context. Words that depend on values count up to there.
func patience(pkg *analysis.Package) (said []string) {
	for _, f := range pkg.Files {
		if !f.Test {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if clause, ok := n.(*ast.CommClause); ok && clause.Comm != nil && isTimer(clause.Comm) {
				for _, s := range clause.Body {
					said = append(said, saidIn(s)...)
				}
			}
			return true
		})
	}
	return said
}

// isTimer reports whether a case of a select is for a time-out.
func isTimer(comm ast.Stmt) (timer bool) {
	ast.Inspect(comm, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok {
			switch sel.Sel.Name {
			case "After", "C", "Done", "Tick":
				timer = true
			}
		}
		return true
	})
	return timer
}

// saidIn are the words with which a statement makes the test fail.
func saidIn(s ast.Stmt) (said []string) {
	ast.Inspect(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch sel.Sel.Name {
		case "Fatal", "Fatalf", "Error", "Errorf":
		default:
			return true
		}
		if lit, ok := call.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			text, _, _ = strings.Cut(text, "%")
			if err == nil && len(text) >= shortestSaid {
				said = append(said, text)
			}
		}
		return true
	})
	return said
}
