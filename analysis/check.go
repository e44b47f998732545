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

// Check type-checks the program with some files replaced (absolute name to
// source): the packages they belong to and the loaded packages that import
// those. What is wrong is a *gotool.BuildError. It is safe for concurrent use.
func (p *Program) Check(files map[string][]byte) error {
	u := p.unit
	fset := u.scratch()
	replaced := map[*File]*ast.File{}
	var failed gotool.BuildError
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := p.File(name)
		if f == nil {
			return fmt.Errorf("check %s: it is not a file of the program", name)
		}
		tree, err := parser.ParseFile(fset, f.Name, files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			failed.Diagnostics = append(failed.Diagnostics, syntaxErrors(err)...)
		}
		replaced[f] = tree
	}
	if len(failed.Diagnostics) == 0 {
		if err := u.recheck(fset, replaced, &failed); err != nil {
			return err
		}
	}
	if len(failed.Diagnostics) == 0 {
		return nil
	}
	failed.Output = render(failed.Diagnostics)
	return &failed
}

// scratch makes a file set for one Check: it knows the module's files, and
// gives new files positions that no loaded file has.
func (u *unit) scratch() *token.FileSet {
	fset := token.NewFileSet()
	for _, n := range u.nodes {
		if n.source {
			for _, tree := range n.pkg.trees() {
				fset.AddExistingFiles(u.fset.File(tree.FileStart))
			}
		}
	}
	fset.AddFile("", max(fset.Base(), u.fset.Base()), 0)
	return fset
}

// recheck type-checks what is affected by replaced files, in order of
// dependence, against the types of all else.
func (u *unit) recheck(fset *token.FileSet, replaced map[*File]*ast.File, failed *gotool.BuildError) error {
	changed := map[*Package]bool{}
	for f := range replaced {
		changed[f.Package] = true
	}
	affected := map[*packages.Package]bool{}
	known := maps.Clone(u.types)
	for _, n := range u.nodes {
		hit := n.source && changed[n.pkg]
		for _, dep := range n.listed.Imports {
			hit = hit || affected[dep]
		}
		if !hit {
			continue
		}
		affected[n.listed] = true
		delete(known, n.listed.PkgPath)
		if !n.source {
			if n.direct {
				if err := u.importNode(n, fset, known); err != nil {
					return err
				}
			}
			continue
		}
		var trees []*ast.File
		for _, f := range n.pkg.Files {
			if tree := replaced[f]; tree != nil {
				trees = append(trees, tree)
			} else {
				trees = append(trees, f.AST)
			}
		}
		trees = append(trees, n.pkg.hidden...)
		known[n.listed.PkgPath] = u.typesOf(n, fset, trees, nil, known, failed)
	}
	return nil
}
