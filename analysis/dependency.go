package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Dependency is a package outside the module that [Target.Instrument] names,
// or one without which that cannot be moved: what it imports, and what imports
// it. The standard library is never among them.
type Dependency struct {
	*Package          // of one that is not Named without types: Types and Info are nil
	Named    bool     // by the target
	Language string   // version of its module, such as "go1.21"; "" when its go.mod file names none
	Imports  []string // import paths, those of the standard library left out
	Other    []string // its files that are not plain Go: assembly, C and what cmd/cgo makes of it, embedded ones
}

// dependencies marks the nodes of the unit that patterns name, and all others
// outside the module and the standard library that are connected with them.
func (u *unit) dependencies(patterns []string) error {
	for _, pattern := range patterns {
		matches, found := matcher(pattern), false
		for _, n := range u.nodes {
			if n.foreign() && matches(n.listed.PkgPath) {
				n.named, n.source, found = true, true, true
			}
		}
		if !found {
			return fmt.Errorf("no dependency outside the module and the standard library matches %s; go list -deps -test prints them", pattern)
		}
	}
	for grown := true; grown; {
		grown = false
		for _, n := range u.nodes {
			for _, dep := range n.listed.Imports {
				d := u.byPath[dep.PkgPath]
				if n.foreign() && d != nil && d.foreign() && n.connected() != d.connected() {
					n.kept, d.kept, grown = true, true, true
				}
			}
		}
	}
	return nil
}

// foreign reports whether a package is neither the module's nor of the standard library.
func (n *node) foreign() bool { return !n.own && n.listed.Module != nil }

// connected reports whether a package is or belongs to a named dependency.
func (n *node) connected() bool { return n.named || n.kept }

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
		if !n.connected() {
			continue
		}
		if n.pkg == nil {
			if err := u.parse(n, nil); err != nil {
				return nil, err
			}
		}
		d := &Dependency{Package: n.pkg, Named: n.named, Language: n.version}
		d.Other = slices.Concat(n.listed.OtherFiles, n.listed.EmbedFiles)
		for _, name := range n.listed.CompiledGoFiles {
			if !slices.Contains(n.listed.GoFiles, name) {
				d.Other = append(d.Other, name)
			}
		}
		d.Imports = imported(u, n.listed)
		list = append(list, d)
	}
	return list, nil
}

// imported are the packages outside the standard library that a package imports.
func imported(u *unit, l *packages.Package) []string {
	var paths []string
	for _, dep := range l.Imports {
		if d := u.byPath[dep.PkgPath]; d != nil && (d.own || d.foreign()) {
			paths = append(paths, dep.PkgPath)
		}
	}
	slices.Sort(paths)
	return paths
}
