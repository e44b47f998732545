package analysis

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const withDependencies = `-- go.mod --
module example.com/main

go 1.26

require (
	example.com/dep v1.0.0
	example.com/other v1.0.0
)

replace (
	example.com/dep => ./dep
	example.com/other => ./other
)
-- main.go --
package main

import (
	"example.com/dep/group"
	_ "example.com/other/user"
	_ "example.com/other/apart"
)

var G group.Group

func main() { G.Go(func() {}) }
-- dep/go.mod --
module example.com/dep

go 1.21
-- dep/group/group.go --
package group

import (
	"sync"

	"example.com/dep/base"
)

type Group struct{ base.Base; wg sync.WaitGroup }

func (g *Group) Go(f func()) { g.wg.Go(f) }
-- dep/base/base.go --
package base

type Base struct{}
-- dep/base/base.s --
-- other/go.mod --
module example.com/other

go 1.26
-- other/user/user.go --
package user

import "example.com/dep/group"

var G group.Group
-- other/apart/apart.go --
package apart
`

// Dependencies that the target names, or that are concurrent, come with types;
// with them, without, the others of their modules. None of them is the module's.
func TestDependencies(t *testing.T) {
	dir := extractText(t, withDependencies)
	p, err := Load(t.Context(), nil, Target{Dir: dir, Instrument: []string{"example.com/dep/group"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range p.Dependencies {
		line := d.Path + " " + d.Language
		if (d.Named || d.Concurrent && len(d.Other) == 0) != (d.Info != nil) {
			t.Errorf("%s: named is %v, concurrent %v, types are %v", d.Path, d.Named, d.Concurrent, d.Info)
		}
		if d.Named {
			line += " named"
		}
		if d.Concurrent {
			line += " concurrent"
		}
		for _, name := range d.Other {
			line += " " + filepath.Base(name)
		}
		got = append(got, line)
		for _, f := range d.Files {
			if p.File(f.Name) != nil {
				t.Errorf("%s counts as a file of the program", f.Name)
			}
		}
	}
	want := []string{
		"example.com/dep/base go1.21 base.s",
		"example.com/dep/group go1.21 named concurrent",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(p.Packages) != 1 || p.owns(p.Dependencies[1].Types.Scope().Lookup("Group")) {
		t.Errorf("got %d packages of the module, want 1 that owns no type of a dependency", len(p.Packages))
	}
	main := p.File("main.go")
	if err := p.Check(map[string][]byte{main.Name: append(main.Source, "\nvar g *group.Group = &G\n"...)}); err != nil {
		t.Error(err)
	}
	if _, err := Narrow(t.Context(), p); err != nil {
		t.Error(err)
	}
}

func TestUnknownDependency(t *testing.T) {
	dir := extractText(t, withDependencies)
	for _, pattern := range []string{"example.com/dep", "sync", "example.com/main", "example.com/dep/grou", "dep/..."} {
		_, err := Load(t.Context(), nil, Target{Dir: dir, Instrument: []string{pattern}})
		if err == nil || !strings.Contains(err.Error(), "matches "+pattern) {
			t.Errorf("%s: got %v, want an error that names it", pattern, err)
		}
	}
}

// A dependency that go.mod does not require is what the error is about.
func TestMissingRequire(t *testing.T) {
	dir := extractText(t, strings.Replace(withDependencies, "\texample.com/dep v1.0.0\n", "", 1))
	_, err := Load(t.Context(), nil, Target{Dir: dir, Instrument: []string{"example.com/dep/..."}})
	if err == nil || !strings.Contains(err.Error(), "example.com/dep") || strings.Contains(err.Error(), "matches") {
		t.Errorf("got %v", err)
	}
}

func TestMatcher(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a.b/x", "a.b/x", true},
		{"a.b/x", "aXb/x", false},
		{"a.b/x", "a.b/x/y", false},
		{"a.b/...", "a.b", true},
		{"a.b/...", "a.b/x/y", true},
		{"a.b/...", "a.bc", false},
		{"a.b...", "a.bc/d", true},
		{".../y", "a.b/x/y", true},
	} {
		if got := matcher(c.pattern)(c.path); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.path, got)
		}
	}
}
