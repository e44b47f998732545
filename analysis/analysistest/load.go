package analysistest

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/types"
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
	"mendel/internal/gotool"
)

// Load is [analysis.Load]. tool may be nil.
func Load(ctx context.Context, tool *gotool.Toolchain, t analysis.Target) (*analysis.Program, error) {
	if l := listingOf(tool, t); l != nil {
		if p, err := analysis.LoadListed(ctx, tool, t, l.list); err == nil {
			return p, nil
		}
		// The go command says what is wrong.
	}
	return analysis.Load(ctx, tool, t)
}

// A listing is what the go command would list of a module.
type listing struct {
	module *packages.Module
	target string                       // the directory of the package that is asked for
	own    map[string]*packages.Package // by import path; the target with its tests, if it has some
}

// listingOf is the listing of a target in a plain module; nil: it is in none.
func listingOf(tool *gotool.Toolchain, t analysis.Target) *listing {
	if tool != nil && tool.Version != runtime.Version() || environment() != started || len(t.Overlay) > 0 || slices.ContainsFunc(t.Flags, matters) {
		return nil
	}
	dir := t.Dir
	if dir == "" && tool != nil {
		dir = tool.Dir
	}
	if dir == "" || t.Package != "" && t.Package != "." && !strings.HasPrefix(t.Package, "./") || strings.Contains(t.Package, "...") {
		return nil
	}
	m := moduleAround(dir)
	if m == nil {
		return nil
	}
	return &listing{m, filepath.Join(dir, filepath.FromSlash(t.Package)), make(map[string]*packages.Package)}
}

// matters reports whether a build flag may decide which files there are, or what they import.
func matters(flag string) bool { return flag != "-trimpath" && !strings.HasPrefix(flag, "-gcflags=") }

// environment is what decides which files and which library the go command takes.
func environment() string {
	var values []string
	for _, name := range []string{"GOFLAGS", "GOCACHE", "GOROOT", "GOTOOLCHAIN", "GOOS", "GOARCH", "GOEXPERIMENT", "GOWORK", "GO111MODULE", "CGO_ENABLED"} {
		values = append(values, os.Getenv(name))
	}
	return strings.Join(values, "\n")
}

// started is the environment in which this process has started, for which what is known of
// the library holds.
var started = environment()

// moduleAround is the plain module that a directory is in; nil: it is in none.
func moduleAround(dir string) *packages.Module {
	root := dir
	for ; !exists(filepath.Join(root, "go.mod")); root = filepath.Dir(root) {
		if root == filepath.Dir(root) {
			return nil
		}
	}
	for above := root; above != filepath.Dir(above); above = filepath.Dir(above) {
		if exists(filepath.Join(above, "go.work")) {
			return nil
		}
	}
	name := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil || exists(filepath.Join(root, "vendor")) {
		return nil
	}
	mod, err := modfile.Parse(name, text, nil)
	if err != nil || mod.Module == nil || len(mod.Require)+len(mod.Replace)+len(mod.Exclude)+len(mod.Godebug) > 0 || mod.Toolchain != nil {
		return nil
	}
	m := &packages.Module{Path: mod.Module.Mod.Path, Main: true, Dir: root, GoMod: name}
	if mod.Go != nil {
		m.GoVersion = mod.Go.Version
	}
	return m
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// list is an [analysis.Lister] of the target, and of the library.
func (l *listing) list(ctx context.Context, tests bool, patterns ...string) ([]*packages.Package, error) {
	if !tests {
		return library.list(ctx, patterns)
	}
	found, err := read(l.target)
	if none := (*build.NoGoError)(nil); err != nil && !errors.As(err, &none) {
		return nil, err
	}
	rel, err := filepath.Rel(l.module.Dir, l.target)
	if err != nil {
		return nil, err
	}
	target := path.Join(l.module.Path, filepath.ToSlash(rel))
	plain := l.newPackage(target, found.Name, found, found.GoFiles)
	all := []*packages.Package{plain}
	l.own[target] = plain
	if len(found.TestGoFiles) > 0 {
		l.own[target] = l.newPackage(target, found.Name, found, found.GoFiles, found.TestGoFiles)
		l.own[target].ID, l.own[target].ForTest = target+" ["+target+".test]", target
		all = append(all, l.own[target])
	}
	for _, p := range all {
		if err := l.resolve(ctx, p, found.Imports, found.TestImports); err != nil {
			return nil, err
		}
	}
	if len(found.XTestGoFiles) > 0 {
		external := l.newPackage(target+"_test", found.Name+"_test", found, found.XTestGoFiles)
		external.ID, external.ForTest = target+"_test ["+target+".test]", target
		if err := l.resolve(ctx, external, found.XTestImports); err != nil {
			return nil, err
		}
		all = append(all, external)
	}
	return all, nil
}

// read reads what a directory has of a package: Go alone, and nothing that is embedded.
func read(dir string) (*build.Package, error) {
	p, err := build.Default.ImportDir(dir, 0)
	other := slices.Concat(p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles,
		p.EmbedPatterns, p.TestEmbedPatterns, p.XTestEmbedPatterns)
	if len(other) > 0 {
		return p, fmt.Errorf("%s has more than Go: %s", dir, other[0])
	}
	return p, err
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
	found, err := read(filepath.Join(l.module.Dir, filepath.FromSlash(strings.TrimPrefix(importPath, l.module.Path))))
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
			return nil, fmt.Errorf("%s is neither in the module nor of the standard library", p)
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
