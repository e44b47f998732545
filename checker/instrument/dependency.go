package instrument

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/internal/rewrite"
)

// chooseDependencies decides which of the program's dependencies are controlled,
// and says why others are not.
func (in *Instrumenter) chooseDependencies() []Uncontrolled {
	var list []Uncontrolled
	refuse := func(d *analysis.Dependency, why string) {
		list = append(list, Uncontrolled{positionOf(d), fmt.Sprintf("%s is not instrumented: %s", d.Path, why)})
	}
	impure := map[analysis.Module]string{}
	for _, d := range in.program.Dependencies {
		if len(d.Other) > 0 {
			impure[d.Module] = d.Path
		}
	}
	for _, d := range in.program.Dependencies {
		switch {
		case !d.Named && !d.Concurrent && !d.Sibling:
		case len(d.Other) > 0:
			refuse(d, "it has files that are not plain Go: "+filepath.Base(d.Other[0]))
		case d.Info == nil:
			refuse(d, "it does not type-check by itself")
		case in.options.Leave[d.Path] != "":
			refuse(d, in.options.Leave[d.Path])
		case d.Module.Cached() && impure[d.Module] != "":
			refuse(d, "its module has files that are not plain Go, in "+impure[d.Module])
		case d.Module.Cached() && in.options.ModFile == "":
			refuse(d, "it is in the module cache, and the flag -modfile keeps its module from being replaced")
		default:
			in.controlled[d.Path] = d
			in.facts[d.Path] = factsOf(d.Package)
			if inMemory(d.Path) {
				in.facts[d.Path].guards = ownPatience(d.Package)
			}
		}
	}
	return list
}

func positionOf(d *analysis.Dependency) (pos token.Position) {
	pos.Filename = d.Dir
	return pos
}

// automatic reports whether a package is a dependency that nobody has named.
func (in *Instrumenter) automatic(path string) bool {
	d := in.controlled[path]
	return d != nil && !d.Named
}

// silent reports whether the accesses to memory of a package are not reported: nobody
// has named it, and it is not of the workspace or the standard library.
func (in *Instrumenter) silent(path string) bool {
	return in.automatic(path) && !in.controlled[path].Sibling && !in.ofLibrary(path)
}

// ofLibrary reports whether a package that is controlled is one of the standard library.
func (in *Instrumenter) ofLibrary(path string) bool {
	d := in.controlled[path]
	return d != nil && d.Module == analysis.Module{} && isStandard(path)
}

// leave gives up control of a dependency.
func (in *Instrumenter) leave(path string) {
	delete(in.controlled, path)
	delete(in.facts, path)
}

// Unfit are the dependencies to leave after a build that failed, and why: those
// in which it did or, if all may be, all of them. Those that were named are not
// among them.
func (in *Instrumenter) Unfit(refused *gotool.BuildError, allMay bool) map[string]string {
	named, all := map[string]string{}, map[string]string{}
	for path, d := range in.controlled {
		if d.Named {
			continue
		}
		all[path] = "with it under control the program does not build"
		for _, diagnostic := range refused.Diagnostics {
			if filepath.Dir(diagnostic.File) == d.Dir {
				named[path] = "rewritten it does not build: " + diagnostic.Message
			}
		}
	}
	if len(named) > 0 || !allMay {
		return named
	}
	return all
}

// rewritten are the packages that are rewritten: the module's and the
// dependencies that are controlled.
func (in *Instrumenter) rewritten() []*analysis.Package {
	list := slices.Clone(in.program.Packages)
	for _, d := range in.program.Dependencies {
		if in.controlled[d.Path] != nil {
			list = append(list, d.Package)
		}
	}
	return list
}

// Files below the module cache cannot be in an overlay. So a module with a
// dependency that is controlled is replaced, in an overlay of go.mod or go.work,
// by one in a directory that exists in the overlay only. What of the module is in
// use goes there. Import paths, and so types, are what they were.

// placeOf is the directory that stands for a module's; its own, unless it is
// in the module cache and replaced.
func (in *Instrumenter) placeOf(m analysis.Module) string {
	if !in.elsewhere[m] {
		return m.Dir
	}
	// Beside the cache: a place that stays the same, so that what was compiled
	// can be used again, and that nobody else writes to.
	cache, _, _ := strings.Cut(filepath.ToSlash(m.GoMod), "/cache/download/")
	rel, err := filepath.Rel(filepath.FromSlash(cache), m.Dir)
	if err != nil {
		rel = filepath.Base(m.Dir)
	}
	return filepath.Join(filepath.Dir(filepath.FromSlash(cache)), "mendelrt", rel)
}

// fileName is where a file of a package goes in an overlay.
func (in *Instrumenter) fileName(pkg *analysis.Package, name string) string {
	d := in.controlled[pkg.Path]
	if d == nil || !in.elsewhere[d.Module] {
		return name
	}
	return in.placed(d.Module, name)
}

// placed is where a file of a replaced module is.
func (in *Instrumenter) placed(m analysis.Module, name string) string {
	rel, err := filepath.Rel(m.Dir, name)
	if err != nil {
		return name
	}
	return filepath.Join(in.placeOf(m), rel)
}

// replaceModules puts the modules that are replaced into the overlay, with
// everything but the files that are rewritten.
func (in *Instrumenter) replaceModules() error {
	var modules []analysis.Module
	for _, d := range in.program.Dependencies {
		if in.controlled[d.Path] != nil && d.Module.Cached() && !in.elsewhere[d.Module] {
			in.elsewhere[d.Module] = true
			modules = append(modules, d.Module)
		}
	}
	if len(modules) == 0 {
		return nil
	}
	for _, d := range in.program.Dependencies {
		if !in.elsewhere[d.Module] {
			continue
		}
		for _, f := range d.Files {
			in.files[in.placed(d.Module, f.Name)] = []byte(rewrite.AtItsPlace(f, string(f.Source)))
		}
		if err := in.copyFiles(d.Module, d.Embedded...); err != nil {
			return err
		}
	}
	for _, m := range modules {
		text, err := os.ReadFile(m.GoMod)
		if err != nil {
			return fmt.Errorf("replace module %s: %w", m.Path, err)
		}
		in.files[filepath.Join(in.placeOf(m), "go.mod")] = text
	}
	return in.replaceIn(in.options.ModFile, modules)
}

// copyFiles puts files of a replaced module into the overlay as they are.
func (in *Instrumenter) copyFiles(m analysis.Module, names ...string) error {
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("replace module %s: %w", m.Path, err)
		}
		in.files[in.placed(m, name)] = text
	}
	return nil
}

// replaceIn adds directives that replace modules to a go.mod or go.work file.
func (in *Instrumenter) replaceIn(name string, modules []analysis.Module) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("replace modules: %w", err)
	}
	if filepath.Ext(name) == ".work" {
		f, err := modfile.ParseWork(name, text, nil)
		if err != nil {
			return fmt.Errorf("replace modules: %w", err)
		}
		for _, m := range modules {
			if err := f.AddReplace(m.Path, m.Version, in.placeOf(m), ""); err != nil {
				return fmt.Errorf("replace module %s: %w", m.Path, err)
			}
		}
		in.files[name] = modfile.Format(f.Syntax)
		return nil
	}
	f, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		return fmt.Errorf("replace modules: %w", err)
	}
	for _, m := range modules {
		if err := f.AddReplace(m.Path, m.Version, in.placeOf(m), ""); err != nil {
			return fmt.Errorf("replace module %s: %w", m.Path, err)
		}
	}
	in.files[name] = modfile.Format(f.Syntax)
	return nil
}

// put adds a file of a package to an overlay.
func (in *Instrumenter) put(overlay gotool.Overlay, pkg *analysis.Package, name string, text string) {
	overlay[in.fileName(pkg, name)] = []byte(text)
}
