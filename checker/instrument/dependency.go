package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// Files below the module cache cannot be in an overlay. So a dependency that is
// to be controlled becomes a package below GOROOT/src. With it goes what it
// imports, because packages there cannot import others, and what imports it, so
// that types stay the same. All imports go to these copies.
const movedPath = runtimePath + "dep/"

// movedTo is the import path of a dependency's copy. Elements such as internal,
// which restrict the importers, are renamed.
func movedTo(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if p == "internal" || p == "vendor" {
			parts[i] = "zz" + p
		}
	}
	return movedPath + strings.Join(parts, "/")
}

// A redirect is the path that replaces an import, and the name that the import then
// needs, if any.
type redirect struct{ path, name string }

// redirects are the replacements of the imports of rewritten packages.
func (in *Instrumenter) redirects() map[string]redirect {
	all := map[string]redirect{}
	for path, s := range in.shims {
		all[path] = redirect{s.path, s.name}
	}
	for path := range in.moved {
		all[path] = redirect{path: movedTo(path)}
	}
	return all
}

// chooseDependencies decides which of the dependencies that the program was
// loaded with are moved, and says why others are not.
func (in *Instrumenter) chooseDependencies() []Uncontrolled {
	var list []Uncontrolled
	refused, where := map[string]string{}, map[string]token.Position{}
	for _, pkg := range in.program.Packages {
		refused[pkg.Path] = "is the module's"
	}
	in.refuse(refused)
	for in.crossDependencies(refused, where) {
		in.refuse(refused)
	}
	for _, d := range in.program.Dependencies {
		if why := refused[d.Path]; why == "" {
			in.moved[d.Path] = d
		} else if d.Named {
			pos, ok := where[d.Path]
			if !ok {
				pos.Filename = d.Dir
			}
			list = append(list, Uncontrolled{pos, fmt.Sprintf("%s is not instrumented: it %s", d.Path, why)})
		}
	}
	in.dropUnneeded()
	for path, d := range in.moved {
		if d.Named {
			in.facts[path] = factsOf(d.Package)
		}
	}
	return list
}

// refuse adds the dependencies that cannot be moved, and why. Dependencies come
// before what depends on them.
func (in *Instrumenter) refuse(refused map[string]string) {
	for _, d := range in.program.Dependencies {
		if refused[d.Path] != "" {
			continue
		}
		if len(d.Other) > 0 {
			refused[d.Path] = "has files that are not plain Go: " + filepath.Base(d.Other[0])
			continue
		}
		for _, path := range d.Imports {
			if why := refused[path]; why != "" {
				refused[d.Path] = "imports " + path + ", which " + why
				break
			}
		}
	}
}

// crossDependencies refuses the first dependency with a type that reaches the
// program through a package that is not moved.
func (in *Instrumenter) crossDependencies(refused map[string]string, where map[string]token.Position) bool {
	known, movable := map[string]bool{}, map[string]bool{}
	for _, d := range in.program.Dependencies {
		known[d.Path] = refused[d.Path] == ""
		movable[d.Path] = known[d.Path]
	}
	for _, pkg := range in.program.Packages {
		known[pkg.Path] = true
	}
	isMoved := func(n *types.Named) bool { return n.Obj().Pkg() != nil && movable[n.Obj().Pkg().Path()] }
	for _, pkg := range in.program.Packages {
		for _, f := range pkg.Files {
			for n := range ast.Preorder(f.AST) {
				id, ok := n.(*ast.Ident)
				if !ok {
					continue
				}
				o := pkg.Info.Uses[id]
				if _, isPackage := o.(*types.PkgName); o == nil || o.Pkg() == nil || isPackage || known[o.Pkg().Path()] || isStandard(o.Pkg().Path()) {
					continue
				}
				if named := mentioned(o.Type(), isMoved); named != nil {
					path := named.Obj().Pkg().Path()
					where[path] = in.program.Fset.Position(id.Pos())
					refused[path] = "has to do with " + o.Pkg().Path() + "." + o.Name() + ", which is not"
					return true
				}
			}
		}
	}
	return false
}

// dropUnneeded keeps dependencies in place that have nothing to do with a named
// one.
func (in *Instrumenter) dropUnneeded() {
	needed := map[string]bool{}
	for path, d := range in.moved {
		needed[path] = d.Named
	}
	for grown := true; grown; {
		grown = false
		for path, d := range in.moved {
			for _, dep := range d.Imports {
				if needed[path] != needed[dep] && in.moved[dep] != nil {
					needed[path], needed[dep], grown = true, true, true
				}
			}
		}
	}
	for path := range in.moved {
		if !needed[path] {
			delete(in.moved, path)
		}
	}
}

// rewritten are the packages that are rewritten: the module's and the
// dependencies that the program was loaded with for that.
func (in *Instrumenter) rewritten() []*analysis.Package {
	list := slices.Clone(in.program.Packages)
	for _, d := range in.program.Dependencies {
		if d.Named && in.moved[d.Path] != nil {
			list = append(list, d.Package)
		}
	}
	return list
}

// put adds a file of a package to an overlay: where it is, or in the copy.
func (in *Instrumenter) put(overlay gotool.Overlay, pkg *analysis.Package, name string, text string) {
	overlay[in.fileName(pkg, name)] = []byte(text)
}

// fileName is where a file of a package goes in an overlay.
func (in *Instrumenter) fileName(pkg *analysis.Package, name string) string {
	if in.moved[pkg.Path] == nil {
		return name
	}
	return filepath.Join(in.goroot, "src", filepath.FromSlash(movedTo(pkg.Path)), filepath.Base(name))
}

// copied is the text of a file for a dependency's copy. Its positions are those of
// the original. It is compiled in the language version of its module, as far as
// that makes a difference.
func (in *Instrumenter) copied(d *analysis.Dependency, f *analysis.File, text string) string {
	if version.Compare(languageOf(d.Language, f.AST), loopvars) < 0 {
		return withVersion(f, text, "go1.21")
	}
	// A byte order mark may only be where the file begins.
	return fmt.Sprintf("//line %s:1:1\n", f.Name) + strings.TrimPrefix(text, "\ufeff")
}

// moveOthers copies the dependencies of which only the imports are rewritten.
func (in *Instrumenter) moveOthers(overlay gotool.Overlay) {
	imports := map[string]redirect{}
	for path := range in.moved {
		imports[path] = redirect{path: movedTo(path)}
	}
	for _, d := range in.moved {
		if d.Named {
			continue
		}
		for _, f := range d.Files {
			r := &rewriter{tokens: in.program.Fset.File(f.AST.FileStart), src: f.Source}
			var parts []part
			for _, decl := range f.AST.Decls {
				if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.IMPORT {
					parts = append(parts, importParts(decl, imports)...)
				}
			}
			in.put(overlay, d.Package, f.Name, in.copied(d, f, r.splice(f.AST.FileStart, f.AST.FileEnd, parts...)))
		}
	}
}
