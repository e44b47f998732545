package checker

import (
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
)

// programOf makes by hand what analysis.Load would of the files of one
// directory: example.com/fake and its external test package.
func programOf(t testing.TB, dir string, files map[string]string) *analysis.Program {
	t.Helper()
	p := &analysis.Program{Target: analysis.Target{Dir: dir, Package: "."}, Module: dir, Fset: token.NewFileSet()}
	packages := map[string]*analysis.Package{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := &analysis.File{Name: filepath.Join(dir, name), Rel: name, Source: []byte(files[name]), Test: strings.HasSuffix(name, "_test.go")}
		if err := os.WriteFile(f.Name, f.Source, 0o644); err != nil {
			t.Fatal(err)
		}
		tree, err := parser.ParseFile(p.Fset, f.Name, f.Source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		f.AST = tree
		path := "example.com/" + tree.Name.Name
		if packages[path] == nil {
			packages[path] = &analysis.Package{Path: path, Dir: dir, Types: types.NewPackage(path, filepath.Base(path))}
			p.Packages = append(p.Packages, packages[path])
		}
		f.Package = packages[path]
		f.Package.Files = append(f.Package.Files, f)
	}
	slices.SortStableFunc(p.Packages, func(a, b *analysis.Package) int { return strings.Compare(a.Path, b.Path) })
	return p
}

// contains fails unless a text has all parts.
func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q does not say %q", text, p)
		}
	}
}
