package locks

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis"
)

// Patched is the model of a whole program some packages of which are replaced, as
// [analysis.Program.Recheck] returns them. [Model.With] asks the original for all that has
// not changed and so is cheaper; this one answers every question, of functions that are
// called from elsewhere too.
func (m *Model) Patched(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) *Model {
	return newModel(m.patched(p, fset, pkgs))
}

// patched is the program some packages of which are replaced.
func (m *Program) patched(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) *Program {
	all := slices.Clone(p.Packages)
	for i, pkg := range all {
		if j := slices.IndexFunc(pkgs, func(o *analysis.Package) bool { return o.Path == pkg.Path }); j >= 0 {
			all[i] = pkgs[j]
		}
	}
	o := &Program{fset: fset}
	o.fill = func() *index {
		ix := newIndex(all, nil)
		ix.dispatchLike(m.ready())
		ix.link()
		return ix
	}
	return o
}

// dispatchLike fills in what calls of interfaces' methods may run, as another index of the
// same program before it was changed knows it. Of a call that is new it is what the
// package's other calls of that text run.
func (ix *index) dispatchLike(was *index) {
	known := make(map[*ast.CallExpr][]ast.Node)
	for _, s := range ix.dynamic {
		for _, key := range s.dispatchKeys() {
			for _, name := range was.impls[key] {
				if fn := ix.byName[name]; fn != nil {
					known[s.call] = append(known[s.call], fn.Node)
				}
			}
			if len(known[s.call]) > 0 {
				break
			}
		}
	}
	ix.dispatch(func(call *ast.CallExpr) []ast.Node { return known[call] })
}
