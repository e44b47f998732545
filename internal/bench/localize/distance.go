package localize

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// statements are the lines on which the statements of a file begin, in order. Blocks
// are none.
func statements(name string) ([]int, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		return nil, fmt.Errorf("count the statements: %w", err)
	}
	var lines []int
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.EmptyStmt:
		case ast.Stmt:
			lines = append(lines, fset.Position(n.Pos()).Line)
		}
		return true
	})
	slices.Sort(lines)
	return lines, nil
}

// distance is the number of statements from a line to the nearest line of a fault.
func distance(statements []int, line int, fault []int) int {
	best := len(statements)
	for _, f := range fault {
		d := index(statements, f) - index(statements, line)
		best = min(best, max(d, -d))
	}
	return best
}

// index is that of the last statement that begins at a line or before.
func index(statements []int, line int) int {
	i, _ := slices.BinarySearch(statements, line+1)
	return i
}
