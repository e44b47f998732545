package batch

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
)

// likeliestFirst orders packages by how much their tests do at the same time, the most first: there a failure
// of concurrency is likelier to be seen.
func (r *run) likeliestFirst() {
	starts := make(map[string]int)
	for _, p := range r.series.Packages {
		starts[p.Path] = startsOfTests(p.Dir)
	}
	slices.SortStableFunc(r.series.Packages, func(a, b Package) int { return cmp.Compare(starts[b.Path], starts[a.Path]) })
}

// startsOfTests counts what starts goroutines in the test files of a directory: go statements, calls of Go, and
// tests that run in parallel. A file that cannot be read has none: that is told when it is built.
func startsOfTests(dir string) (n int) {
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is right
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.GoStmt:
				n++
			case *ast.CallExpr:
				if sel, ok := node.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Go" || sel.Sel.Name == "Parallel") {
					n++
				}
			}
			return true
		})
	}
	return n
}
