package analysis

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"mendel/internal/gotool"
)

// Recheck is [Program.Check] for those who need the types: it returns the
// packages that have replaced files, with these in place and types of their
// own, and the file set of their positions; and the packages of the program that
// depend on one of these whose declarations look different from outside, because the same
// text may mean something else there: a call may copy its receiver. What is wrong is a
// *gotool.BuildError. It is safe for concurrent use. Whoever asks for the same files may get
// the same packages: nobody changes them.
func (p *Program) Recheck(files map[string][]byte) (*token.FileSet, []*Package, error) {
	if p.recent == nil {
		return nil, nil, errors.New("check files: the program was not loaded")
	}
	return p.recent.of(files, func() (*token.FileSet, []*Package, error) { return p.recheck(files) })
}

func (p *Program) recheck(files map[string][]byte) (*token.FileSet, []*Package, error) {
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
// that depend on them, in order of dependence. It returns the changed ones, and those that
// depend on one which looks different from outside. Where only bodies of functions changed, no
// other package is looked at that no changed one depends on.
func (u *unit) retype(fset *token.FileSet, changed map[*Package]*Package, failed *gotool.BuildError) ([]*Package, error) {
	scope := *u
	scope.fset, scope.types = fset, maps.Clone(u.types)
	affected, different := map[*packages.Package]bool{}, map[*packages.Package]bool{}
	asked, alike := u.askedFor(changed), bodiesOnly(changed)
	var pkgs []*Package
	for _, n := range u.nodes {
		hit, sees := n.source && changed[n.pkg] != nil, false
		for _, dep := range n.listed.Imports {
			hit, sees = hit || affected[dep], sees || different[dep]
		}
		if !hit || alike && !asked[n.listed] {
			continue
		}
		affected[n.listed] = true
		different[n.listed] = sees // a value may come by way of it
		delete(scope.types, n.listed.PkgPath)
		pkg := changed[n.pkg]
		if n.source && pkg == nil && sees {
			pkg = again(n.pkg)
		}
		switch {
		case !n.source:
			if n.direct {
				if err := u.importNode(n, fset, scope.types); err != nil {
					return nil, err
				}
			}
		case pkg != nil:
			checked := *n
			checked.pkg = pkg
			scope.typeCheck(&checked, failed)
			pkgs = append(pkgs, pkg)
			different[n.listed] = sees || !alike && pkg.Types != nil && surface(pkg.Types) != surface(n.pkg.Types)
		default:
			scope.types[n.listed.PkgPath] = u.typesOf(n, fset, n.pkg.trees(), nil, scope.types, failed)
		}
	}
	return pkgs, nil
}

// askedFor are the changed packages, and all that these depend on.
func (u *unit) askedFor(changed map[*Package]*Package) map[*packages.Package]bool {
	asked := map[*packages.Package]bool{}
	for _, n := range slices.Backward(u.nodes) {
		if n.source && changed[n.pkg] != nil {
			asked[n.listed] = true
		}
		if asked[n.listed] {
			for _, dep := range n.listed.Imports {
				asked[dep] = true
			}
		}
	}
	return asked
}

// bodiesOnly reports whether packages differ from the original in bodies of functions, and in
// what they import, at most: then those that depend on them are right if they were.
func bodiesOnly(changed map[*Package]*Package) bool {
	for original, pkg := range changed {
		for i, f := range pkg.Files {
			if was := original.Files[i]; f != was && !bytes.Equal(outline(was), outline(f)) {
				return false
			}
		}
	}
	return true
}

// outline is the text of a file without imports and the bodies of functions.
func outline(f *File) (text []byte) {
	from := 0
	leave := func(begin, end token.Pos) {
		text = append(append(text, f.Source[from:begin-f.AST.FileStart]...), '\n')
		from = int(end - f.AST.FileStart)
	}
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				leave(d.Body.Lbrace, d.Body.End())
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				leave(d.Pos(), d.End())
			}
		}
	}
	return append(text, f.Source[from:]...)
}

// again is a copy of a package, to be type-checked anew.
func again(pkg *Package) *Package {
	copied := *pkg
	copied.Files = make([]*File, len(pkg.Files))
	for i, f := range pkg.Files {
		file := *f
		file.Package = &copied
		copied.Files[i] = &file
	}
	return &copied
}

// surface is what importers of a package may see of it, in words: what it declares at
// its top, with the fields of types and the receivers of methods.
func surface(pkg *types.Package) string {
	var b strings.Builder
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		fmt.Fprintln(&b, types.ObjectString(obj, nil))
		if named, ok := obj.Type().(*types.Named); ok {
			for m := range named.Methods() {
				fmt.Fprintln(&b, types.ObjectString(m, nil))
			}
		}
	}
	return b.String()
}
