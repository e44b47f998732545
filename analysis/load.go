package analysis

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"mendel/internal/gotool"
)

const listMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
	packages.NeedImports | packages.NeedDeps | packages.NeedModule |
	packages.NeedExportFile | packages.NeedEmbedFiles | packages.NeedForTest | packages.NeedTypesSizes

// importable are the packages that an edit may import although the program does not.
var importable = []string{"sync", "sync/atomic", "context", "errors", "time", "maps", "slices", "strconv"}

// Load loads a target. What does not parse or type-check is a *gotool.BuildError with positions.
//
// The go command lists the target with its tests and compiles what lies
// outside the module; the module's own packages are then parsed and
// type-checked here, so that every type exists once.
func Load(ctx context.Context, tool *gotool.Toolchain, t Target) (*Program, error) {
	if tool != nil && t.Dir == "" {
		t.Dir = tool.Dir
	}
	return LoadListed(ctx, tool, t, func(ctx context.Context, tests bool, patterns ...string) ([]*packages.Package, error) {
		return List(ctx, tool, t, tests, patterns...)
	})
}

// A Lister lists the packages that match patterns, with their tests or without, and all
// that they depend on, in the way of [List].
type Lister func(ctx context.Context, tests bool, patterns ...string) ([]*packages.Package, error)

// LoadListed is [Load] for who knows in another way than by the go command what that would
// list: tests that load many small programs.
func LoadListed(ctx context.Context, tool *gotool.Toolchain, t Target, list Lister) (*Program, error) {
	if t.Package == "" {
		t.Package = "."
	}
	if strings.HasSuffix(t.Package, ".go") {
		return nil, fmt.Errorf("load %s: that is a file; name its package, for example ./%s", t.Package, filepath.ToSlash(filepath.Dir(t.Package)))
	}
	listed, err := list(ctx, true, t.Package)
	if err != nil {
		return nil, err
	}
	if len(listed) == 0 && tool != nil {
		// Of some of what the go command says nothing is passed on, such as that
		// go.mod needs updates.
		if _, err := tool.Packages(ctx, append(slices.Clone(t.Flags), "-deps", "-test"), t.Package); err != nil {
			return nil, fmt.Errorf("load %s: %w", t.Package, err)
		}
	}
	roots, err := pick(t, listed)
	if err != nil {
		return nil, err
	}
	imports := t.imports()
	more, err := listMissing(ctx, list, listed, imports)
	if err != nil {
		return nil, err
	}
	u, err := newUnit(ctx, roots, more, imports, t)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", t.Package, err)
	}
	if err := u.readable(tool); err != nil {
		return nil, fmt.Errorf("load %s: %w", t.Package, err)
	}
	checked, err := u.check(ctx)
	if err != nil {
		if old := u.libraryTooNew(tool); old != nil {
			err = old
		}
		return nil, fmt.Errorf("load %s: %w", t.Package, err)
	}
	dependencies, err := u.foreignPackages()
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", t.Package, err)
	}
	p := &Program{Target: t, Module: u.module, Fset: u.fset, Packages: checked, Dependencies: dependencies, Network: u.network, unit: u}
	p.prepare()
	return p, nil
}

// List asks the go command for packages, with their tests or without, and all they depend
// on. What lies outside of the module is compiled.
func List(ctx context.Context, tool *gotool.Toolchain, t Target, tests bool, patterns ...string) (_ []*packages.Package, err error) {
	temp, remove, err := gotool.TempDir()
	if err != nil {
		return nil, fmt.Errorf("list %s in %s: %w", strings.Join(patterns, " "), t.Dir, err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	cfg := &packages.Config{
		Mode:       listMode,
		Context:    ctx,
		Dir:        t.Dir,
		Env:        slices.Concat(os.Environ(), []string{"GOPACKAGESDRIVER=off"}, tool.Env(), gotool.TempEnv(temp)),
		BuildFlags: t.Flags,
		Tests:      tests,
		Overlay:    t.Overlay,
	}
	var listed []*packages.Package
	gotool.RetryTransient(ctx, func() (short bool) {
		listed, err = packages.Load(cfg, patterns...)
		// Of a go command that failed before it listed anything nothing is said.
		return err == nil && len(listed) == 0 || gotool.OutOfResources(complaints(listed, err))
	})
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, fmt.Errorf("list %s in %s: %w", strings.Join(patterns, " "), t.Dir, err)
	}
	return listed, nil
}

// complaints is what the go command said of packages that it listed, or was to list.
func complaints(listed []*packages.Package, err error) string {
	var texts []string
	if err != nil {
		texts = append(texts, err.Error())
	}
	packages.Visit(listed, nil, func(l *packages.Package) {
		for _, e := range l.Errors {
			texts = append(texts, e.Msg)
		}
	})
	return strings.Join(texts, "\n")
}

// pick finds the target among what its pattern matched: the package (with its
// own tests, if any) and its external test package.
func pick(t Target, listed []*packages.Package) ([]*packages.Package, error) {
	var plain, tested, external []*packages.Package
	for _, l := range listed {
		switch {
		case l.ForTest != "" && strings.HasSuffix(l.PkgPath, "_test") && l.PkgPath != l.ForTest:
			external = append(external, l)
		case l.ForTest != "":
			tested = append(tested, l)
		case l.Name == "main" && l.ID == l.PkgPath && strings.HasSuffix(l.ID, ".test"):
			// the generated main package of the tests
		default:
			plain = append(plain, l)
		}
	}
	if len(plain) != 1 {
		return nil, ambiguous(t, plain)
	}
	target := plain[0]
	if err := usable(t, target, len(tested)+len(external) > 0); err != nil {
		return nil, err
	}
	if len(tested) == 0 && len(target.GoFiles) > 0 {
		tested = plain
	}
	return append(tested, external...), nil
}

// ambiguous is the error for a pattern that does not match exactly one package.
func ambiguous(t Target, matched []*packages.Package) error {
	if len(matched) == 0 {
		return fmt.Errorf("load %s: it matches no package in %s: is the pattern misspelt, or the directory in no module (no go.mod)?", t.Package, t.Dir)
	}
	var paths []string
	for _, l := range matched {
		paths = append(paths, l.PkgPath)
	}
	slices.Sort(paths)
	if len(paths) > 5 {
		paths = append(paths[:5], "...")
	}
	return fmt.Errorf("load %s: it matches %d packages; name one of them: %s", t.Package, len(matched), strings.Join(paths, ", "))
}

// usable returns why a listed package cannot be a target; nil if it can.
func usable(t Target, target *packages.Package, tests bool) error {
	if target.Module == nil || target.Module.Dir == "" || !target.Module.Main {
		if isDirectory(t) {
			return fmt.Errorf("load %[1]s: no package has this import path; for the directory write ./%[1]s", filepath.ToSlash(t.Package))
		}
		if len(target.Errors) > 0 {
			return listError(t, target.Errors)
		}
		return fmt.Errorf("load %s: %s is not a package of the module around %s", t.Package, target.PkgPath, t.Dir)
	}
	if len(target.GoFiles) > 0 || tests {
		return nil
	}
	if len(target.Errors) > 0 {
		return listError(t, target.Errors)
	}
	return fmt.Errorf("load %s: no Go files in %s (or build constraints exclude them all; see --tags)", t.Package, target.Dir)
}

// isDirectory reports whether a target's import path is a directory's name
// without the "./" that would say so.
func isDirectory(t Target) bool {
	if strings.HasPrefix(t.Package, ".") || filepath.IsAbs(t.Package) {
		return false
	}
	info, err := os.Stat(filepath.Join(t.Dir, filepath.FromSlash(t.Package)))
	return err == nil && info.IsDir()
}

// listError turns what the go command reports about packages into one error,
// with positions where it gives them.
func listError(t Target, errs []packages.Error) error {
	var failed gotool.BuildError
	var texts []string
	for _, e := range errs {
		texts = append(texts, e.Error())
		if d, ok := diagnostic(t.Dir, e); ok {
			failed.Diagnostics = append(failed.Diagnostics, d)
		}
	}
	failed.Output = strings.Join(texts, "\n")
	if len(failed.Diagnostics) > 0 {
		return fmt.Errorf("load %s: %w", t.Package, &failed)
	}
	return fmt.Errorf("load %s: %w", t.Package, errors.New(failed.Output))
}

// diagnostic reads the position of a go list error: "file:line:col", "file:line" or "-".
func diagnostic(dir string, e packages.Error) (gotool.Diagnostic, bool) {
	d := gotool.Diagnostic{Message: e.Msg}
	file, rest, ok := cutPosition(e.Pos)
	if !ok {
		return d, false
	}
	if _, err := fmt.Sscanf(rest, "%d:%d", &d.Line, &d.Column); err != nil && d.Line == 0 {
		return d, false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	d.File = file
	return d, true
}

// cutPosition splits "name.go:12:3" behind the file name.
func cutPosition(pos string) (file, rest string, ok bool) {
	i := strings.LastIndex(pos, ".go:")
	if i < 0 {
		return "", "", false
	}
	return pos[:i+len(".go")], pos[i+len(".go:"):], true
}

// imports are the packages that files may come to import.
func (t Target) imports() []string {
	if t.Unedited {
		return t.Imports
	}
	return slices.Concat(importable, t.Imports)
}

// listMissing lists the wanted packages that the target does not depend on anyway.
func listMissing(ctx context.Context, list Lister, listed []*packages.Package, wanted []string) ([]*packages.Package, error) {
	have := map[string]bool{}
	packages.Visit(listed, nil, func(l *packages.Package) { have[l.PkgPath] = true })
	var missing []string
	for _, path := range wanted {
		if !have[path] && path != "unsafe" && path != "C" {
			missing = append(missing, path)
		}
	}
	var more []*packages.Package
	packages.Visit(listed, nil, func(l *packages.Package) {
		if slices.Contains(wanted, l.PkgPath) {
			more = append(more, l)
		}
	})
	if len(missing) == 0 {
		return more, nil
	}
	rest, err := list(ctx, false, missing...)
	return append(more, rest...), err
}
