package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// turns are the loops of some files, and how they go on at channels: a loop of the
// original waits in its turns as long as it has no other way into the next one.
type turns struct {
	loops []string // what they begin with, in source order
	exits int      // cases of a select that leave a loop
	ways  int      // operations on channels in loops behind which the turn goes on: those of a select by its cases
}

// add counts those of a file.
func (t *turns) add(f *analysis.File) {
	syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.ForStmt:
			t.loops = append(t.loops, "for "+condition(n.Cond))
		case *ast.RangeStmt:
			t.loops = append(t.loops, "range "+types.ExprString(n.X))
			if of := f.Package.Info.TypeOf(n.X); of != nil {
				if _, ok := of.Underlying().(*types.Chan); ok {
					t.ways++
				}
			}
		case *ast.CommClause:
			switch {
			case !syntax.InLoop(n, path):
			case len(n.Body) > 0 && leaves(n.Body[len(n.Body)-1]):
				t.exits++
			default:
				t.ways++
			}
		case *ast.SendStmt, *ast.UnaryExpr:
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op != token.ARROW {
				return
			}
			if syntax.InLoop(n, path) && !isCase(n, path) {
				t.ways++
			}
		}
	})
}

// isCase reports whether an operation is that of a select's case.
func isCase(op ast.Node, path []ast.Node) bool {
	for _, n := range path {
		if c, ok := n.(*ast.CommClause); ok && c.Comm != nil && syntax.Within(op, ast.Node(c.Comm)) {
			return true
		}
	}
	return false
}

func condition(e ast.Expr) string {
	if e == nil {
		return ""
	}
	return types.ExprString(e)
}

// leavesMore reports whether the loops of the mutant are those of the original, but for
// cases by which they are left: if they go on for ever without waiting so do those of the
// original, which may not have come that far.
func (s *sources) leavesMore() bool {
	before, after := s.before.turns, s.after.turns
	return slices.Equal(before.loops, after.loops) && after.exits > before.exits && after.ways <= before.ways && !s.declines()
}
