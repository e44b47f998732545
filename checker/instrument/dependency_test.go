package instrument

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// Dependencies: what is not under control, and then what the tests print once
// the rest is. The archive's comment names what to instrument;
// files that end in .in are added to the overlay.
func TestDependencies(t *testing.T) {
	eachArchive(t, 2, "dependency/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		dir := extract(t, archive)
		_, patterns, _ := strings.Cut(string(archive.Comment), "instrument: ")
		s := load(t, dir, ".", strings.Fields(patterns)...)
		o, problems := s.overlay(t, nil)
		var got strings.Builder
		for _, u := range problems {
			if u.Pos.Line > 0 {
				fmt.Fprintf(&got, "%s:%d: %s\n", filepath.Base(u.Pos.Filename), u.Pos.Line, u.Reason)
			} else {
				fmt.Fprintf(&got, "dep: %s\n", u.Reason)
			}
		}
		for _, f := range archive.Files {
			if name, ok := strings.CutSuffix(f.Name, ".in"); ok {
				o[filepath.Join(dir, name)] = f.Data
			}
		}
		out, _ := s.output(t, o)
		out, _, _ = strings.Cut(out, "PASS\n")
		got.WriteString(out)
		if diff := cmp.Diff(strings.Split(string(archive.Files[0].Data), "\n"), strings.Split(got.String(), "\n")); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

const errgroupTest = `package main

import (
	"errors"
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"
)

func Body() {
	var g errgroup.Group
	n := 0
	for range 2 {
		g.Go(func() error { n++; return errors.New("no") })
	}
	if g.Wait() == nil {
		panic("no error")
	}
}

func TestGroup(t *testing.T) { Body(); fmt.Println("done") }
`

// A race in goroutines that a package in the module cache starts is seen, and
// nothing is changed there.
func TestErrgroup(t *testing.T) {
	dir := extract(t, &txtar.Archive{Files: []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/main\n\ngo 1.26.0\n\nrequire golang.org/x/sync v0.24.0\n")},
		{Name: "go.sum", Data: sums(t, "golang.org/x/sync v0.24.0")},
		{Name: "main_test.go", Data: []byte(errgroupTest)},
	}})
	s := load(t, dir, ".")
	o, problems := s.overlay(t, nil)
	for _, u := range problems {
		t.Error(u)
	}
	o[filepath.Join(dir, "control_test.go")] = []byte(strings.Replace(controlDriver, "package control\n", "package main\n", 1) +
		"\nvar Bodies = map[string]func(){\"Body\": Body}\n")
	if out, _ := s.output(t, o); !strings.Contains(out, "Body: race\n") || !strings.Contains(out, "done\n") {
		t.Errorf("got\n%s", out)
	}
}

// sums are the lines of a go.sum file for a module that this one needs too.
func sums(t *testing.T, module string) []byte {
	t.Helper()
	all, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	var lines []byte
	for line := range strings.Lines(string(all)) {
		if strings.HasPrefix(line, module) {
			lines = append(lines, line...)
		}
	}
	return lines
}
