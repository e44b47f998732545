package effects

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"mendel/internal/gotool"
)

// Analyse analyses packages of the standard library of a toolchain, by import path; "std"
// stands for all. Lines about a package depend on that and what it imports alone. Those
// that tables are not about are passed over.
func Analyse(ctx context.Context, tool *gotool.Toolchain, paths ...string) (t *Table, err error) {
	defer func() {
		if ctx.Err() != nil {
			t, err = nil, ctx.Err()
		}
	}()
	loaded, err := load(ctx, tool, paths)
	if err != nil {
		return nil, fmt.Errorf("load the standard library: %w", err)
	}
	a := &analyser{summaries: map[*ssa.Function]*summary{}, busy: map[*ssa.Function]bool{}, done: map[*ssa.Function]int{}}
	text, err := a.text(ctx, loaded)
	if err != nil {
		return nil, fmt.Errorf("analyse the standard library: %w", err)
	}
	return parseTable(tool.Version + " " + tool.Port + "\n" + text + reflected)
}

// load loads packages with those that they import, from source.
func load(ctx context.Context, tool *gotool.Toolchain, paths []string) (_ []*packages.Package, err error) {
	temp, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	config := &packages.Config{
		Context: ctx, Dir: tool.Dir, Mode: packages.LoadAllSyntax,
		Env: slices.Concat(os.Environ(), []string{"GOPACKAGESDRIVER=off"}, tool.Env(), gotool.TempEnv(temp)),
	}
	loaded, err := packages.Load(config, paths...)
	if err != nil {
		return nil, err
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if err == nil && len(p.Errors) > 0 {
			err = fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
	})
	loaded = slices.DeleteFunc(loaded, func(p *packages.Package) bool { return !covered(p.PkgPath) })
	slices.SortFunc(loaded, func(p, q *packages.Package) int { return strings.Compare(p.PkgPath, q.PkgPath) })
	return loaded, err
}

// text has the lines about packages, in order. A library in a newer language than the
// analysis reads may make that panic.
func (a *analyser) text(ctx context.Context, loaded []*packages.Package) (text string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	prog, _ := ssautil.AllPackages(loaded, 0)
	for _, p := range prog.AllPackages() {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		p.Build()
	}
	var b strings.Builder
	for a.round = 1; a.round <= rounds; a.round++ {
		b.Reset()
		for _, p := range loaded {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			a.writePackage(&b, prog.Package(p.Types))
		}
	}
	return b.String(), nil
}
