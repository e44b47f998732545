package analysis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"mendel/internal/gotool"
)

// maxDiagnostics is how many type errors of one package are reported.
const maxDiagnostics = 20

// A unit is the closure of the target's packages as the go command lists it,
// each import path once, and their types.
type unit struct {
	module  string            // directory of go.mod
	overlay map[string][]byte // see Target
	fset    *token.FileSet
	sizes   types.Sizes
	nodes   []*node // dependencies before dependents
	byPath  map[string]*node
	types   map[string]*types.Package
	network bool // see Network
}

// A node is one package of a unit.
type node struct {
	listed     *packages.Package
	own        bool     // of the module
	named      bool     // a dependency that the target names
	concurrent bool     // a dependency that the checker is to control
	networking bool     // of the standard library, and part of the program's network
	kept       bool     // among Program.Dependencies
	source     bool     // own, or a dependency to be controlled: checked from source
	direct     bool     // imported by a source package, or importable
	root       int      // place among the targets, else -1
	pkg        *Package // of a source node
	version    string   // language version, "go1.21"
}

// newUnit orders the closure of the roots and adds the packages that may come
// to be imported, and what these depend on. The target says which dependencies are to be
// checked from source, too.
func newUnit(ctx context.Context, roots, more []*packages.Package, imports []string, t Target) (*unit, error) {
	module := roots[0].Module
	u := &unit{
		module:  module.Dir,
		overlay: t.Overlay,
		fset:    token.NewFileSet(),
		sizes:   roots[0].TypesSizes,
		byPath:  map[string]*node{},
		types:   map[string]*types.Package{"unsafe": types.Unsafe},
	}
	add := func(l *packages.Package) {
		if u.byPath[l.PkgPath] != nil || l.PkgPath == "unsafe" || l.ID == "C" {
			return
		}
		n := &node{listed: l, root: slices.Index(roots, l)}
		n.own = l.Module != nil && l.Module.Path == module.Path && l.Module.Main
		n.source = n.own
		if l.Module != nil && l.Module.GoVersion != "" {
			n.version = "go" + l.Module.GoVersion
		}
		u.byPath[l.PkgPath] = n
		u.nodes = append(u.nodes, n)
	}
	packages.Visit(roots, nil, add)
	packages.Visit(more, nil, add)
	for _, l := range more {
		if slices.Contains(imports, l.PkgPath) && u.byPath[l.PkgPath] != nil {
			u.byPath[l.PkgPath].direct = true
		}
	}
	if err := u.dependencies(ctx, t.Instrument); err != nil {
		return nil, err
	}
	for _, n := range u.nodes {
		for _, dep := range n.listed.Imports {
			if d := u.byPath[dep.PkgPath]; d != nil && n.source {
				d.direct = true
			}
		}
	}
	return u, nil
}

// readable refuses packages in a newer language than this program reads. Dependencies that
// nobody has named are left alone instead.
func (u *unit) readable(tool *gotool.Toolchain) error {
	for _, n := range u.nodes {
		if tool == nil || n.version == "" || !n.own && !n.named {
			continue
		}
		if err := tool.CheckLanguage(n.listed.Module.Path, n.version); err != nil {
			return err
		}
	}
	return nil
}

// libraryTooNew says that a package of the library was not read because it is in a newer
// language than this program reads, although the module is not; nil if that is not so.
func (u *unit) libraryTooNew(tool *gotool.Toolchain) error {
	if tool == nil {
		return nil
	}
	for _, n := range u.nodes {
		if pkg := u.types[n.listed.PkgPath]; n.direct && !n.source && n.listed.Module == nil && (pkg == nil || !pkg.Complete()) {
			return tool.CheckLanguage("std", tool.Version)
		}
	}
	return nil
}

// check reads or type-checks every package of the unit. It returns those of the
// module: the targets, then the others by import path.
func (u *unit) check(ctx context.Context) ([]*Package, error) {
	var failed gotool.BuildError
	var listed []packages.Error
	for _, n := range u.nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !n.source {
			if n.direct {
				if err := u.importNode(n, u.fset, u.types); err != nil {
					listed = append(listed, packages.Error{Pos: "-", Msg: err.Error()})
				}
			}
			continue
		}
		if !n.own && !n.named {
			if err := u.checkDependency(n); err != nil {
				listed = append(listed, packages.Error{Pos: "-", Msg: err.Error()})
			}
			continue
		}
		if err := u.parse(n, &failed); err != nil {
			return nil, err
		}
		u.typeCheck(n, &failed)
		listed = append(listed, n.listed.Errors...)
	}
	for _, e := range listed {
		if strings.HasPrefix(e.Msg, "import cycle") {
			return nil, e // what type-checking makes of it is misleading
		}
	}
	if len(failed.Diagnostics) > 0 {
		failed.Output = render(failed.Diagnostics)
		return nil, &failed
	}
	if err := u.seriousErrors(listed); err != nil {
		return nil, err
	}
	return u.modulePackages(), nil
}

// seriousErrors keeps of the go command's complaints those about what could not be found.
// What it says about compiling has been found, better, by type-checking.
func (u *unit) seriousErrors(listed []packages.Error) error {
	var texts []string
	for _, e := range listed {
		if e.Kind == packages.ListError || e.Kind == packages.UnknownError {
			texts = append(texts, e.Error())
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return errors.New(strings.Join(slices.Compact(texts), "\n"))
}

func (u *unit) modulePackages() []*Package {
	var sources []*node
	for _, n := range u.nodes {
		if n.own {
			sources = append(sources, n)
		}
	}
	slices.SortFunc(sources, func(a, b *node) int {
		switch {
		case a.root >= 0 && b.root >= 0:
			return a.root - b.root
		case a.root >= 0:
			return -1
		case b.root >= 0:
			return 1
		}
		return strings.Compare(a.listed.PkgPath, b.listed.PkgPath)
	})
	var pkgs []*Package
	for _, n := range sources {
		pkgs = append(pkgs, n.pkg)
	}
	return pkgs
}

// parse reads a source package's files. Files that import "C" are replaced by
// what cmd/cgo makes of them; these have no File, because nobody may edit them.
// Syntax errors go to failed, or without that are left to the go command.
func (u *unit) parse(n *node, failed *gotool.BuildError) error {
	n.pkg = &Package{Path: n.listed.PkgPath, Dir: n.listed.Dir}
	names := n.listed.CompiledGoFiles
	if len(names) == 0 {
		names = n.listed.GoFiles
	}
	for _, name := range names {
		src, err := u.read(name)
		if err != nil {
			return fmt.Errorf("read a file of %s: %w", n.listed.PkgPath, err)
		}
		tree, err := parser.ParseFile(u.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil && failed != nil {
			failed.Diagnostics = append(failed.Diagnostics, syntaxErrors(err)...)
		}
		if tree == nil {
			continue
		}
		if !slices.Contains(n.listed.GoFiles, name) {
			n.pkg.hidden = append(n.pkg.hidden, tree)
			continue
		}
		n.pkg.Files = append(n.pkg.Files, &File{
			Name:      name,
			Rel:       relative(u.module, name),
			Source:    src,
			AST:       tree,
			Test:      strings.HasSuffix(name, "_test.go"),
			Generated: ast.IsGenerated(tree),
			Package:   n.pkg,
		})
	}
	return nil
}

// read reads a file, or what stands for it.
func (u *unit) read(name string) ([]byte, error) {
	if text, there := u.overlay[name]; there {
		return text, nil
	}
	return os.ReadFile(name)
}

func relative(dir, name string) string {
	if rel, err := filepath.Rel(dir, name); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}

func (u *unit) typeCheck(n *node, failed *gotool.BuildError) {
	n.pkg.Info = &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Instances:    map[*ast.Ident]types.Instance{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}
	n.pkg.Types = u.typesOf(n, u.fset, n.pkg.trees(), n.pkg.Info, u.types, failed)
	u.types[n.listed.PkgPath] = n.pkg.Types
}

// typesOf type-checks trees as the package of a node, importing from known.
// Errors are appended to failed.
func (u *unit) typesOf(n *node, fset *token.FileSet, trees []*ast.File, info *types.Info,
	known map[string]*types.Package, failed *gotool.BuildError) *types.Package {
	found := 0
	conf := types.Config{
		GoVersion: n.version,
		Sizes:     u.sizes,
		Importer:  importerFunc(func(path string) (*types.Package, error) { return u.importFor(n, path, known) }),
		Error: func(err error) {
			if d, ok := typeError(fset, err); ok && found < maxDiagnostics {
				failed.Diagnostics = append(failed.Diagnostics, d)
				found++
			}
		},
	}
	pkg, _ := conf.Check(n.listed.PkgPath, fset, trees, info) // errors went to conf.Error
	return pkg
}

// importFor resolves an import of a package; one that the package did not have
// before is looked up among the packages at hand.
func (u *unit) importFor(n *node, path string, known map[string]*types.Package) (*types.Package, error) {
	if path == "C" {
		return nil, errors.New(`import "C" is only understood in files of the original program`)
	}
	if dep := n.listed.Imports[path]; dep != nil {
		path = dep.PkgPath
		if pkg := known[path]; pkg == nil && len(dep.Errors) > 0 {
			return nil, errors.New(dep.Errors[0].Msg)
		}
	}
	pkg := known[path]
	if pkg == nil || !pkg.Complete() {
		return nil, fmt.Errorf("package %s is not among those that the program uses", path)
	}
	return pkg, nil
}

// importNode brings in a package that is not the module's own: from export data
// or, when the compiler made none that can be read, from its source without bodies.
func (u *unit) importNode(n *node, fset *token.FileSet, known map[string]*types.Package) error {
	path := n.listed.PkgPath
	if n.listed.ExportFile != "" {
		data, err := os.ReadFile(n.listed.ExportFile)
		if err != nil {
			return fmt.Errorf("read export data of %s: %w", path, err)
		}
		//lint:ignore SA1019 until Go 1.28 the go command's export files are archives
		in, err := gcexportdata.NewReader(bytes.NewReader(data))
		if err == nil {
			if _, err = gcexportdata.Read(in, fset, known, path); err == nil {
				return nil
			}
		}
	}
	return u.importSource(n, fset, known)
}

// importSource type-checks the declarations of a foreign package, and first
// those it imports and nobody has imported yet.
func (u *unit) importSource(n *node, fset *token.FileSet, known map[string]*types.Package) error {
	for _, dep := range n.listed.Imports {
		d := u.byPath[dep.PkgPath]
		if d == nil || d.source || known[dep.PkgPath] != nil && known[dep.PkgPath].Complete() {
			continue
		}
		if err := u.importNode(d, fset, known); err != nil {
			return err
		}
	}
	var trees []*ast.File
	for _, name := range n.listed.CompiledGoFiles {
		tree, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse %s: %w", n.listed.PkgPath, err)
		}
		trees = append(trees, tree)
	}
	if len(trees) == 0 {
		if len(n.listed.Errors) > 0 {
			return n.listed.Errors[0]
		}
		return fmt.Errorf("package %s has neither export data nor source", n.listed.PkgPath)
	}
	conf := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            u.sizes,
		Importer:         importerFunc(func(path string) (*types.Package, error) { return u.importFor(n, path, known) }),
		Error:            func(error) {}, // a foreign package may be broken where nobody looks
	}
	pkg, _ := conf.Check(n.listed.PkgPath, fset, trees, nil)
	known[n.listed.PkgPath] = pkg
	return nil
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func syntaxErrors(err error) []gotool.Diagnostic {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []gotool.Diagnostic{{Message: err.Error()}}
	}
	var ds []gotool.Diagnostic
	for _, e := range list[:min(len(list), maxDiagnostics)] {
		ds = append(ds, gotool.Diagnostic{File: e.Pos.Filename, Line: e.Pos.Line, Column: e.Pos.Column, Message: e.Msg})
	}
	return ds
}

func typeError(fset *token.FileSet, err error) (gotool.Diagnostic, bool) {
	var te types.Error
	if !errors.As(err, &te) {
		return gotool.Diagnostic{Message: err.Error()}, true
	}
	if strings.HasPrefix(te.Msg, "\t") { // continues the one before
		return gotool.Diagnostic{}, false
	}
	pos := fset.Position(te.Pos)
	return gotool.Diagnostic{File: pos.Filename, Line: pos.Line, Column: pos.Column, Message: te.Msg}, true
}

func render(ds []gotool.Diagnostic) string {
	var b strings.Builder
	for _, d := range ds {
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", d.File, d.Line, d.Column, d.Message)
	}
	return b.String()
}
