package instrument

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"

	"mendel/analysis/evidence/symbol"
	"mendel/internal/gotool"
	"mendel/internal/rewrite"
)

const runtimePath = symbol.Root // of import paths of the runtime inside the program under test

// runtimeDirs are the directories of the runtime.
var runtimeDirs = []string{"sched", "shim", "wire", "state", "driver"}

// A shim replaces a package of the standard library.
type shim struct {
	path  string          // below runtimePath
	name  string          // of the package
	names map[string]bool // exported; true: a type of its own, not another name of the original's
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
	return all
}

// shimDirs are the directories of the shims, by what they replace.
var shimDirs = map[string][]string{
	"sync":             {"shim/sync"},
	"sync/atomic":      {"shim/atomic"},
	"time":             {"shim/time"},
	"context":          {"shim/context"},
	"io":               {"shim/io"}, // see keepPipes
	"math/rand":        {"shim/rand"},
	"math/rand/v2":     {"shim/rand/v2", "shim/randv2"},
	"testing/synctest": {"shim/synctest"},
}

// runtimeOf reads the runtime: an overlay that puts it into GOROOT, and what
// each shim replaces in the library of a release.
func runtimeOf(goroot string, release *build.Context, sources fs.FS) (gotool.Overlay, map[string]*shim, error) {
	overlay := gotool.Overlay{}
	for _, dir := range runtimeDirs {
		if err := rewrite.Plant(overlay, goroot, runtimePath+dir, sources, dir); err != nil {
			return nil, nil, err
		}
	}
	if err := rewrite.PlantVariant(overlay, goroot); err != nil {
		return nil, nil, err
	}
	shims := map[string]*shim{}
	for replaced, dirs := range shimDirs {
		for _, dir := range dirs {
			s, err := readShim(release, sources, dir)
			if err != nil {
				return nil, nil, fmt.Errorf("read the replacement of %s: %w", replaced, err)
			}
			if s != nil {
				shims[replaced] = s
			}
		}
	}
	return overlay, shims, nil
}

// orderPath is the import path of package order, of which others may be copies.
const orderPath = "mendel/order"

// replaceOrders has package order and its copies be replaced.
func (in *Instrumenter) replaceOrders(release *build.Context, sources fs.FS) error {
	s, err := readShim(release, sources, "shim/order")
	if err != nil {
		return fmt.Errorf("read the replacement of %s: %w", orderPath, err)
	}
	in.orders[orderPath] = true
	for _, pkg := range in.program.Packages {
		if pkg.IsOrder() {
			in.orders[pkg.Path] = true
		}
	}
	for _, d := range in.program.Dependencies {
		if d.Package != nil && d.IsOrder() {
			in.orders[d.Path] = true
			in.leave(d.Path)
		}
	}
	for path := range in.orders {
		in.shims[path] = s
	}
	return nil
}

// readShim reads what a shim declares for a release; nil when there is none.
func readShim(release *build.Context, sources fs.FS, dir string) (*shim, error) {
	files, err := filesOf(release, sources, dir)
	if err != nil {
		return nil, err
	}
	var s *shim
	for _, name := range files {
		text, err := fs.ReadFile(sources, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if s == nil {
			s = &shim{path: runtimePath + dir, name: file.Name.Name, names: map[string]bool{}}
		}
		for _, d := range file.Decls {
			s.declare(d)
		}
	}
	return s, nil
}

// declare notes the exported names of a declaration.
func (s *shim) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			s.names[d.Name.Name] = false
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.names[spec.Name.Name] = !spec.Assign.IsValid()
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					s.names[n.Name] = false
				}
			}
		}
	}
}
