package mutatetest

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"mendel/analysis"
)

// The go command takes several times as long to list a small module as everything that a
// test does with it. Archives are plain: one module, which imports the standard library
// only. So what is in them is read here, and the go command is asked about each package of
// the library once.

// load loads the package in a directory. If that is the root of a module, it is plain.
func load(dir string) (*analysis.Program, error) {
	target := analysis.Target{Dir: dir, Package: "."}
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return analysis.Load(context.Background(), nil, target)
	}
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	l := &listing{
		module: &packages.Module{Path: mod.Module.Mod.Path, Main: true, Dir: dir, GoMod: name},
		own:    make(map[string]*packages.Package),
	}
	if mod.Go != nil {
		l.module.GoVersion = mod.Go.Version
	}
	return analysis.LoadListed(context.Background(), nil, target, l.list)
}

// A listing is what the go command would list of a module.
type listing struct {
	module *packages.Module
	own    map[string]*packages.Package // by import path; the root with its tests, if it has some
}

// list is an [analysis.Lister]. The module's own packages are asked for as ".".
func (l *listing) list(ctx context.Context, tests bool, patterns ...string) ([]*packages.Package, error) {
	if !slices.Equal(patterns, []string{"."}) {
		return library.list(ctx, patterns)
	}
	found, err := build.Default.ImportDir(l.module.Dir, 0)
	if none := (*build.NoGoError)(nil); err != nil && !errors.As(err, &none) {
		return nil, err
	}
	root := l.module.Path
	plain := l.newPackage(root, found.Name, found, found.GoFiles)
	all := []*packages.Package{plain}
	l.own[root] = plain
	if len(found.TestGoFiles) > 0 {
		l.own[root] = l.newPackage(root, found.Name, found, found.GoFiles, found.TestGoFiles)
		l.own[root].ID, l.own[root].ForTest = root+" ["+root+".test]", root
		all = append(all, l.own[root])
	}
	for _, p := range all {
		if err := l.resolve(ctx, p, found.Imports, found.TestImports); err != nil {
			return nil, err
		}
	}
	if len(found.XTestGoFiles) > 0 {
		external := l.newPackage(root+"_test", found.Name+"_test", found, found.XTestGoFiles)
		external.ID, external.ForTest = root+"_test ["+root+".test]", root
		if err := l.resolve(ctx, external, found.XTestImports); err != nil {
			return nil, err
		}
		all = append(all, external)
	}
	return all, nil
}

// newPackage is a package of the module, without imports.
func (l *listing) newPackage(importPath, name string, found *build.Package, files ...[]string) *packages.Package {
	p := &packages.Package{
		ID: importPath, PkgPath: importPath, Name: name, Dir: found.Dir, Module: l.module,
		TypesSizes: types.SizesFor("gc", runtime.GOARCH), Imports: make(map[string]*packages.Package),
	}
	for _, name := range slices.Concat(files...) {
		p.GoFiles = append(p.GoFiles, filepath.Join(found.Dir, name))
	}
	p.CompiledGoFiles = p.GoFiles
	return p
}

// resolve finds what a package of the module imports.
func (l *listing) resolve(ctx context.Context, p *packages.Package, imports ...[]string) error {
	var outside []string
	for _, importPath := range slices.Concat(imports...) {
		if !within(l.module.Path, importPath) {
			outside = append(outside, importPath)
			continue
		}
		imported, err := l.imported(ctx, importPath)
		if err != nil {
			return err
		}
		p.Imports[importPath] = imported
	}
	listed, err := library.list(ctx, outside)
	for _, imported := range listed {
		p.Imports[imported.PkgPath] = imported
	}
	return err
}

// imported is a package of the module that another one imports.
func (l *listing) imported(ctx context.Context, importPath string) (*packages.Package, error) {
	if p := l.own[importPath]; p != nil {
		return p, nil
	}
	dir := filepath.Join(l.module.Dir, filepath.FromSlash(strings.TrimPrefix(importPath, l.module.Path)))
	found, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	p := l.newPackage(importPath, found.Name, found, found.GoFiles)
	l.own[importPath] = p
	return p, l.resolve(ctx, p, found.Imports)
}

// within reports whether an import path is of a module.
func within(module, importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

// library is what the go command has listed of the standard library.
var library = listed{all: make(map[string]*packages.Package)}

type listed struct {
	mu  sync.Mutex
	all map[string]*packages.Package // by import path
}

// list lists packages of the library, of which those that are not known are asked for.
func (l *listed) list(ctx context.Context, paths []string) ([]*packages.Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var missing []string
	for _, p := range paths {
		if first, _, _ := strings.Cut(p, "/"); p == "C" || path.Ext(first) != "" {
			return nil, fmt.Errorf("%s is neither in the archive nor of the standard library", p)
		}
		if l.all[p] == nil && p != "unsafe" && !slices.Contains(missing, p) {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		more, err := analysis.List(ctx, nil, analysis.Target{}, false, missing...)
		if err != nil {
			return nil, err
		}
		packages.Visit(more, nil, func(p *packages.Package) {
			if l.all[p.PkgPath] == nil {
				l.all[p.PkgPath] = p
			}
		})
	}
	var out []*packages.Package
	for _, p := range paths {
		if known := l.all[p]; known != nil && !slices.Contains(out, known) {
			out = append(out, known)
		}
	}
	return out, nil
}
