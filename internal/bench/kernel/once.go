package kernel

import (
	"go/ast"
	"go/token"
	"strconv"
)

// fewestCopies is the smallest number of rounds of a loop that starts copies of
// a kernel. Loops that belong to a kernel itself start three goroutines at most.
const fewestCopies = 10

// startOnce gives the loops that start copies of the kernel a single round.
func (a *adapter) startOnce(fn *ast.FuncDecl) {
	for _, s := range fn.Body.List {
		loop, ok := s.(*ast.ForStmt)
		if !ok {
			continue
		}
		variable, bound, ok := counting(loop)
		if !ok || !startsOnly(loop.Body, variable) {
			continue
		}
		rounds := "1"
		if bound.Op == token.LEQ {
			rounds = "0"
		}
		a.replace(bound.Y.Pos(), bound.Y.End(), rounds)
	}
}

// counting recognises "for i := 0; i < n; i++" (or <=) with a large literal n.
func counting(loop *ast.ForStmt) (variable *ast.Ident, bound *ast.BinaryExpr, ok bool) {
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return nil, nil, false
	}
	id, ok := init.Lhs[0].(*ast.Ident)
	if !ok {
		return nil, nil, false
	}
	if from, ok := init.Rhs[0].(*ast.BasicLit); !ok || from.Value != "0" {
		return nil, nil, false
	}
	bound, ok = loop.Cond.(*ast.BinaryExpr)
	if !ok || bound.Op != token.LSS && bound.Op != token.LEQ {
		return nil, nil, false
	}
	if x, ok := bound.X.(*ast.Ident); !ok || x.Name != id.Name {
		return nil, nil, false
	}
	lit, ok := bound.Y.(*ast.BasicLit)
	if !ok {
		return nil, nil, false
	}
	n, err := strconv.Atoi(lit.Value)
	return id, bound, err == nil && n >= fewestCopies
}

// startsOnly reports whether a loop's body does nothing but define variables and
// start goroutines, and does not use the loop's own variable. All rounds are
// then alike and independent.
func startsOnly(body *ast.BlockStmt, variable *ast.Ident) bool {
	starts := false
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				return false
			}
		default:
			return false
		}
	}
	return starts && !uses(body, variable)
}

// uses reports whether a node uses the variable that id declares.
func uses(n ast.Node, id *ast.Ident) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		other, ok := n.(*ast.Ident)
		found = found || ok && other.Obj == id.Obj // the parser has resolved what is local
		return !found
	})
	return found
}
