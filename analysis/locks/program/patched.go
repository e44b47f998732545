package program

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis"
)

// Replaced is the program some packages of which are replaced.
func (m *Program) Replaced(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) *Program {
	all := slices.Clone(p.Packages)
	for i, pkg := range all {
		if j := slices.IndexFunc(pkgs, func(o *analysis.Package) bool { return o.Path == pkg.Path }); j >= 0 {
			all[i] = pkgs[j]
		}
	}
	o := &Program{Fset: fset}
	o.fill = func() *Index {
		ix := newIndex(all, nil)
		ix.dispatchLike(m.Index())
		ix.link()
		return ix
	}
	return o
}

// dispatchLike fills in what calls of interfaces' methods may run, as another index of the
// same program before it was changed knows it. Of a call that is new it is what the
// package's other calls of that text run.
func (ix *Index) dispatchLike(was *Index) {
	known := make(map[*ast.CallExpr][]ast.Node)
	for _, s := range ix.dynamic {
		for _, key := range s.dispatchKeys() {
			for _, name := range was.impls[key] {
				if fn := ix.ByName[name]; fn != nil {
					known[s.Call] = append(known[s.Call], fn.Node)
				}
			}
			if len(known[s.Call]) > 0 {
				break
			}
		}
	}
	ix.dispatch(func(call *ast.CallExpr) []ast.Node { return known[call] })
}
