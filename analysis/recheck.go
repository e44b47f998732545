package analysis

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"mendel/internal/gotool"
)

// Recheck is [Program.Check] for those who need the types: it returns the
// packages that have replaced files, with these in place and types of their
// own, and the file set of their positions. What is wrong is a
// *gotool.BuildError. It is safe for concurrent use.
func (p *Program) Recheck(files map[string][]byte) (*token.FileSet, []*Package, error) {
	u := p.unit
	fset := u.scratch()
	var failed gotool.BuildError
	changed := map[*Package]*Package{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := p.File(name)
		if f == nil {
			return nil, nil, fmt.Errorf("check %s: it is not a file of the program", name)
		}
		tree, err := parser.ParseFile(fset, f.Name, files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			failed.Diagnostics = append(failed.Diagnostics, syntaxErrors(err)...)
			continue
		}
		if changed[f.Package] == nil {
			copied := *f.Package
			copied.Files = slices.Clone(copied.Files)
			changed[f.Package] = &copied
		}
		pkg := changed[f.Package]
		replaced := *f
		replaced.Source, replaced.AST, replaced.Package = files[name], tree, pkg
		replaced.Generated = ast.IsGenerated(tree)
		pkg.Files[slices.Index(f.Package.Files, f)] = &replaced
	}
	var pkgs []*Package
	if len(failed.Diagnostics) == 0 {
		var err error
		if pkgs, err = u.retype(fset, changed, &failed); err != nil {
			return nil, nil, err
		}
	}
	if len(failed.Diagnostics) > 0 {
		failed.Output = render(failed.Diagnostics)
		return nil, nil, &failed
	}
	return fset, pkgs, nil
}

// retype type-checks changed packages and, because types must exist once, all
// that depend on them, in order of dependence. It returns the changed ones.
func (u *unit) retype(fset *token.FileSet, changed map[*Package]*Package, failed *gotool.BuildError) ([]*Package, error) {
	scope := *u
	scope.fset, scope.types = fset, maps.Clone(u.types)
	affected := map[*packages.Package]bool{}
	var pkgs []*Package
	for _, n := range u.nodes {
		hit := n.source && changed[n.pkg] != nil
		for _, dep := range n.listed.Imports {
			hit = hit || affected[dep]
		}
		if !hit {
			continue
		}
		affected[n.listed] = true
		delete(scope.types, n.listed.PkgPath)
		switch pkg := changed[n.pkg]; {
		case !n.source:
			if n.direct {
				if err := u.importNode(n, fset, scope.types); err != nil {
					return nil, err
				}
			}
		case pkg != nil:
			again := *n
			again.pkg = pkg
			scope.typeCheck(&again, failed)
			pkgs = append(pkgs, pkg)
		default:
			scope.types[n.listed.PkgPath] = u.typesOf(n, fset, n.pkg.trees(), nil, scope.types, failed)
		}
	}
	return pkgs, nil
}
