package tree

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
)

// Import makes sure that the file imports a package of the standard library and
// returns the name that qualifies what it exports there: its own, the name it
// was renamed to, or "" for a dot import.
func (f *Edited) Import(wanted string) string {
	for _, spec := range f.imports() {
		if importPath(spec) != wanted {
			continue
		}
		switch {
		case spec.Name == nil:
			return path.Base(wanted)
		case spec.Name.Name == ".":
			return ""
		case spec.Name.Name != "_":
			return spec.Name.Name
		}
	}
	spec := &dst.ImportSpec{Path: &dst.BasicLit{Kind: token.STRING, Value: strconv.Quote(wanted)}}
	name := freeImportName(f.Original.File, path.Base(wanted))
	if name != path.Base(wanted) {
		spec.Name = dst.NewIdent(name)
	}
	f.addImport(spec)
	f.root.Imports = append(f.root.Imports, spec)
	return name
}

// imports are those of the file as it is now.
func (f *Edited) imports() []*dst.ImportSpec {
	if f.tree.sketched() && f.root.Imports == nil {
		f.ownImports()
		for i := range f.Original.decls {
			for _, n := range f.clones[i] {
				if spec, ok := n.(*dst.ImportSpec); ok {
					f.root.Imports = append(f.root.Imports, spec)
				}
			}
		}
	}
	return f.root.Imports
}

// freeImportName is the name of a package, or another name where the package
// or the file already uses that one for something else.
func freeImportName(f *analysis.File, name string) string {
	taken := func(name string) bool {
		if f.Package.Types.Scope().Lookup(name) != nil {
			return true
		}
		scope := f.Package.Info.Scopes[f.AST]
		return scope != nil && scope.Lookup(name) != nil
	}
	if !taken(name) {
		return name
	}
	for n := "go" + name; ; n += "x" {
		if !taken(n) {
			return n
		}
	}
}

// addImport puts an import of the standard library where a Go programmer
// would: sorted into the first group of a parenthesised declaration that has
// such imports, beside a single import, or in a declaration of its own.
func (f *Edited) addImport(spec *dst.ImportSpec) {
	f.ownImports()
	var decls []*dst.GenDecl // without import "C", whose comment is code
	at := 0                  // after the last import declaration
	for i, d := range f.root.Decls {
		g, ok := d.(*dst.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			break
		}
		at = i + 1
		if len(g.Specs) != 1 || importPath(g.Specs[0]) != "C" {
			decls = append(decls, g)
		}
	}
	grouped := slices.IndexFunc(decls, func(g *dst.GenDecl) bool { return g.Lparen })
	switch {
	case grouped >= 0:
		f.insertImport(decls[grouped], spec)
	case len(decls) == 1:
		g := decls[0]
		g.Lparen, g.Rparen = true, true
		only := g.Specs[0].Decorations()
		only.Before, only.After = dst.NewLine, dst.NewLine
		f.insertImport(g, spec)
	default:
		d := &dst.GenDecl{Tok: token.IMPORT, Specs: []dst.Spec{spec}}
		d.Decs.Before, d.Decs.After = dst.EmptyLine, dst.EmptyLine
		if len(decls) > 0 {
			last := f.root.Decls[at-1].(*dst.GenDecl)
			d.Decs.Before = dst.NewLine
			last.Decs.After = min(last.Decs.After, dst.NewLine)
			for _, s := range last.Specs {
				s.Decorations().After = dst.NewLine
			}
		}
		f.root.Decls = slices.Insert(f.root.Decls, at, dst.Decl(d))
	}
}

// insertImport sorts a standard import into a parenthesised declaration.
func (f *Edited) insertImport(g *dst.GenDecl, spec *dst.ImportSpec) {
	own := spec.Decorations()
	own.Before, own.After = dst.NewLine, dst.NewLine
	if len(g.Specs) == 0 {
		g.Specs = []dst.Spec{spec}
		return
	}
	first, last := f.standardGroup(g.Specs)
	if last < first { // no group of the standard library: make it, in front
		own.After = dst.EmptyLine
		g.Specs[0].Decorations().Before = dst.EmptyLine
		g.Specs = slices.Insert(g.Specs, 0, dst.Spec(spec))
		return
	}
	i := first
	for i <= last && importPath(g.Specs[i]) < importPath(spec) {
		i++
	}
	switch {
	case i == first: // takes over the space in front of the group
		old := g.Specs[i].Decorations()
		own.Before, old.Before = old.Before, dst.NewLine
	case i > last: // and behind it
		old := g.Specs[last].Decorations()
		own.After, old.After = max(old.After, dst.NewLine), dst.NewLine
	}
	g.Specs = slices.Insert(g.Specs, i, dst.Spec(spec))
}

// standardGroup finds the first run of specs without a blank line between
// them that has an import of the standard library; last < first if none has.
func (f *Edited) standardGroup(specs []dst.Spec) (first, last int) {
	for first < len(specs) {
		standard := false
		last = first
		for ; ; last++ {
			standard = standard || f.isStandard(importPath(specs[last]))
			if last+1 == len(specs) || gapBetween(specs[last], specs[last+1]) == dst.EmptyLine {
				break
			}
		}
		if standard {
			return first, last
		}
		first = last + 1
	}
	return 0, -1
}

func gapBetween(a, b dst.Node) dst.SpaceType {
	return max(a.Decorations().After, b.Decorations().Before)
}

// isStandard knows the standard library's import paths by their first
// element, which has no dot and is not that of the module.
func (f *Edited) isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	own, _, _ := strings.Cut(f.Original.File.Package.Path, "/")
	return path != "C" && first != own && !strings.Contains(first, ".")
}

func importPath(s dst.Spec) string {
	spec, ok := s.(*dst.ImportSpec)
	if !ok {
		return fmt.Sprintf("%T", s)
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return path
}
