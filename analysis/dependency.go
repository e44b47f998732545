package analysis

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"mendel/internal/gotool"
)

// A Dependency is a package outside the module that the checker may control:
// one that [Target.Instrument] names, that is concurrent or of another module of the
// workspace, or another one in use of the same module, which is needed to build that one from files elsewhere.
// Of the standard library only those are among them that are [rewritable].
type Dependency struct {
	*Package            // without types (Types and Info are nil) unless it is named, or plain Go and concurrent or a sibling
	Named      bool     // by the target
	Sibling    bool     // of another module of the workspace
	Concurrent bool     // it starts goroutines, or uses channels, locks, atomics or timers
	Language   string   // version of its module, such as "go1.21"; "" when its go.mod file names none
	Module     Module   // that it belongs to
	Other      []string // its files that are not plain Go: assembly, C and what cmd/cgo makes of it
	Embedded   []string // files that it embeds
}

// A Module is one outside the target's.
type Module struct {
	Path, Version string // as the build requires it
	Dir           string // "" when it is vendored
	GoMod         string // its go.mod file; "" when it is vendored
}

// Cached reports whether a module is in the module cache, where an overlay
// cannot replace files.
func (m Module) Cached() bool { return m.GoMod != "" && filepath.Dir(m.GoMod) != m.Dir }

// rewritable are packages of the standard library whose goroutines wait for those of the
// program, and that need nothing else that is not under control. They are controlled like
// dependencies.
var rewritable = []string{"database/sql", "net/rpc", "net/rpc/jsonrpc"}

func moduleOf(n *node) Module {
	m := n.listed.Module
	if m == nil {
		return Module{} // the standard library
	}
	of := Module{m.Path, m.Version, m.Dir, m.GoMod}
	if m.Replace != nil {
		of.Dir, of.GoMod = m.Replace.Dir, m.Replace.GoMod
	}
	return of
}

// dependencies marks the nodes outside the module and the standard library that
// patterns name or that are concurrent, and the others of their modules.
func (u *unit) dependencies(ctx context.Context, patterns []string) error {
	for _, pattern := range u.networks(patterns) {
		matches, found := matcher(pattern), false
		for _, n := range u.nodes {
			if n.foreign() && matches(n.listed.PkgPath) {
				n.named, n.source, found = true, true, true
			}
		}
		if !found {
			if err := u.unfound(); err != nil {
				return err
			}
			return fmt.Errorf("no dependency outside the module and the standard library matches %s; go list -deps -test prints them", pattern)
		}
	}
	modules := map[Module]bool{}
	for _, n := range u.nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !n.foreign() {
			continue
		}
		if err := u.examine(n); err != nil {
			return err
		}
		if n.source {
			modules[moduleOf(n)] = true
		}
	}
	for _, n := range u.nodes {
		n.kept = n.concurrent || n.sibling() || n.foreign() && modules[moduleOf(n)]
	}
	return nil
}

// unfound is what the go command could not find: most likely that is what a
// pattern was meant to match.
func (u *unit) unfound() error {
	var listed []packages.Error
	for _, n := range u.nodes {
		listed = append(listed, n.listed.Errors...)
	}
	return u.seriousErrors(listed)
}

// examine decides whether a package is concurrent. If it is, or is the workspace's, and
// is plain Go, it is checked from source.
func (u *unit) examine(n *node) error {
	if !mayBeConcurrent(n.listed) && !n.sibling() {
		return nil
	}
	if err := u.parse(n, nil); err != nil {
		return err
	}
	n.concurrent = slices.ContainsFunc(n.pkg.Files, func(f *File) bool { return concurrent(f.AST) })
	n.source = n.source || (n.concurrent || n.sibling()) && len(others(n.listed)) == 0
	return nil
}

// others are files of a package that are not plain Go.
func others(l *packages.Package) []string {
	list := slices.Clone(l.OtherFiles)
	for _, name := range l.CompiledGoFiles {
		if !slices.Contains(l.GoFiles, name) {
			list = append(list, name)
		}
	}
	return list
}

// sibling reports whether a package belongs to another module of the workspace.
func (n *node) sibling() bool { return n.foreign() && n.listed.Module != nil && n.listed.Module.Main }

// foreign reports whether a package is neither the module's nor, unless it is rewritable
// or part of the program's network, of the standard library.
func (n *node) foreign() bool {
	return !n.own && (n.listed.Module != nil || n.networking || slices.Contains(rewritable, n.listed.PkgPath))
}

// checkDependency type-checks a dependency that nobody has named, and leaves it
// alone if that fails.
func (u *unit) checkDependency(n *node) error {
	var failed gotool.BuildError
	u.typeCheck(n, &failed)
	if len(failed.Diagnostics) > 0 {
		return u.leave(n)
	}
	return nil
}

// leave gives up checking a dependency from source: it does not type-check here.
// Its export data is read instead.
func (u *unit) leave(n *node) error {
	n.source, n.direct = false, true
	n.pkg.Types, n.pkg.Info = nil, nil
	delete(u.types, n.listed.PkgPath)
	return u.importNode(n, u.fset, u.types)
}

// matcher is what a pattern of the go command matches: "..." stands for any
// text, and "x/..." is also x.
func matcher(pattern string) func(path string) bool {
	text := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if rest, ok := strings.CutSuffix(text, `/.*`); ok {
		text = rest + `(/.*)?`
	}
	return regexp.MustCompile("^" + text + "$").MatchString
}

// foreignPackages are the dependencies that were marked, with their files.
func (u *unit) foreignPackages() ([]*Dependency, error) {
	var list []*Dependency
	for _, n := range u.nodes {
		if !n.kept && !n.named {
			continue
		}
		if n.pkg == nil {
			if err := u.parse(n, nil); err != nil {
				return nil, err
			}
		}
		list = append(list, &Dependency{
			Package: n.pkg, Named: n.named, Sibling: n.sibling(), Concurrent: n.concurrent, Language: n.version,
			Module: moduleOf(n), Other: others(n.listed), Embedded: n.listed.EmbedFiles,
		})
	}
	return list, nil
}
