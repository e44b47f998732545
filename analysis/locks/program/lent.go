package program

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// A Lending is a call that is given a function, as one of its arguments.
type Lending struct {
	Site
	Param int // which argument it is
}

// Lent are the calls that a declared function is given to by its name. What they do with it is not asked.
func (m *Program) Lent(fn *Func) []Lending {
	if fn.Object == nil {
		return nil
	}
	return m.Index().lent[fn.Object]
}

// lends notes that a function gives another one away, as the argument of a call; false where it is
// used otherwise.
func (ix *Index) lends(fn *Func, f *types.Func, id *ast.Ident, path []ast.Node) bool {
	e := ast.Expr(id)
	for i := len(path) - 1; i >= 0 && fn != nil; i-- {
		switch n := path[i].(type) {
		case *ast.SelectorExpr:
			if n.Sel != id {
				return false
			}
			e = n
		case *ast.ParenExpr:
			e = n
		case *ast.CallExpr:
			param := slices.Index(n.Args, e)
			if param < 0 || syntax.StartsArgument(n) || i > 0 && isGo(path[i-1]) {
				return false
			}
			ix.lent[f.Origin()] = append(ix.lent[f.Origin()], Lending{Site{fn, n}, param})
			return true
		default:
			return false
		}
	}
	return false
}
