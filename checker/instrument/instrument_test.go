package instrument

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/checker/instrument/effects"
	"mendel/internal/gotool"
	"mendel/internal/sample"
)

func TestUncontrolled(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/uncontrolled.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := load(t, extract(t, archive), ".")
	o, problems := s.overlay(t, nil)
	var got strings.Builder
	for _, u := range problems {
		fmt.Fprintf(&got, "%s:%d: %s\n", filepath.Base(u.Pos.Filename), u.Pos.Line, u.Reason)
	}
	if diff := cmp.Diff(string(archive.Files[0].Data), got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if out, code := s.output(t, o); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// In an excluded function no variable is watched, but what synchronises is under control.
func TestExcluded(t *testing.T) {
	source := "package p\n\nimport \"sync\"\n\ntype T struct {\n\tmu sync.Mutex\n\tn  int\n}\n\n//mendel:exclude\nfunc (t *T) Excluded() { t.mu.Lock(); t.n++ }\n\nfunc (t *T) Watched() { t.mu.Lock(); t.n++ }\n"
	archive := "-- go.mod --\nmodule example.com/p\n\ngo 1.26\n-- p.go --\n" + source + "-- p_test.go --\npackage p\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {}\n"
	s := load(t, extract(t, txtar.Parse([]byte(archive))), ".")
	o, _ := s.overlay(t, nil)
	for name, text := range o {
		if filepath.Base(name) != "p.go" || !bytes.Contains(text, []byte("Excluded")) {
			continue
		}
		got := string(text)
		if !strings.Contains(got, "Excluded() { t.mu.Lock(); t.n++ }") || strings.Contains(got, "Watched() { t.mu.Lock(); t.n++ }") || !strings.Contains(got, `"mendelrt/shim/sync"`) {
			t.Errorf("rewritten:\n%s", got)
		}
		return
	}
	t.Error("p.go is not in the overlay")
}

const counter = `-- go.mod --
module example.com/counter

go 1.26
-- counter.go --
package counter

import "example.com/counter/part"

var total int

func Add(c *part.Counter, n int) int {
	c.N += n
	c.Other += n
	p := &private{}
	p.n += n
	return total + p.n
}

type private struct{ n int }
-- part/part.go --
package part

type Counter struct{ N, Other int }
-- counter_test.go --
package counter

import (
	"testing"

	"example.com/counter/part"
)

func TestAdd(t *testing.T) {
	c := new(part.Counter)
	done := make(chan bool)
	go func() { c.N++; close(done) }()
	Add(c, 2)
	<-done
	println("N is", c.N, c.Other)
}
`

// Mutants are instrumented with types of their own.
func TestMutant(t *testing.T) {
	dir := extract(t, txtar.Parse([]byte(counter)))
	s := load(t, dir, ".")
	original, _ := s.overlay(t, nil)
	name, part := filepath.Join(dir, "counter.go"), filepath.Join(dir, "part", "part.go")
	files := map[string][]byte{
		name: []byte("package counter\n\nimport (\n\t\"sync\"\n\n\t\"example.com/counter/part\"\n)\n\nvar total int\n\n" +
			"func Add(c *part.Counter, n int) int {\n\tvar mu sync.Mutex\n\tmu.Lock()\n\tc.More += n\n\ttotal++\n\tmu.Unlock()\n\treturn total\n}\n"),
		part: []byte("package part\n\ntype Counter struct{ N, More, Other int }\n"),
	}
	o, problems := s.overlay(t, files)
	for _, u := range problems {
		t.Error(u)
	}
	for _, want := range []string{`sync "mendelrt/shim/sync"`, "zzsched.RW(&c.More)", "zzsched.R(&total)"} {
		if !strings.Contains(string(o[name]), want) {
			t.Errorf("no %s in\n%s", want, o[name])
		}
	}
	if string(o[part]) != string(files[part]) {
		t.Errorf("a file without anything to rewrite became\n%s", o[part])
	}
	if out, code := s.output(t, o); code != 0 || !strings.Contains(out, "N is 1 0") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if again, _ := s.overlay(t, nil); cmp.Diff(original, again) != "" {
		t.Error("a mutant changed what becomes of the original")
	}

	// A package that only imports a replaced one is checked, too.
	_, err := s.in.Rewrite(map[string][]byte{part: []byte("package part\n\ntype Counter struct{ N int }\n")})
	if broken := (*gotool.BuildError)(nil); !errors.As(err, &broken) || broken.Diagnostics[0].File != name {
		t.Errorf("got %v, want a BuildError in %s", err, name)
	}

	files[name] = []byte("package counter\n\nfunc Add() int { return \"\" }\n")
	_, err = s.in.Rewrite(files)
	var broken *gotool.BuildError
	if !errors.As(err, &broken) || broken.Diagnostics[0].File != name || broken.Diagnostics[0].Line != 3 {
		t.Errorf("got %v, want a BuildError at line 3", err)
	}
}

// With a narrowing, only accesses to its variables are reported.
func TestNarrowing(t *testing.T) {
	s := load(t, extract(t, txtar.Parse([]byte(counter))), ".")
	ns, err := analysis.Narrow(t.Context(), s.program)
	if err != nil {
		t.Fatal(err)
	}
	s.in, err = New(s.program, s.tool.GOROOT, runtimeSources(t), Options{Narrowing: ns, Library: effects.Nearest(s.tool.Version)})
	if err != nil {
		t.Fatal(err)
	}
	o, _ := s.overlay(t, nil)
	text := string(o[s.program.File("counter.go").Name])
	if !strings.Contains(text, "c.N , _ = c.N +") || strings.Contains(text, "(&p.n)") {
		t.Errorf("want c.N reported and p.n not:\n%s", text)
	}
	if out, code := s.output(t, o); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Files in a language without generics are rewritten, and keep the meaning that
// their language gives them: alone and as a clone. Without a directive that is Go 1.16's. Since
// Go 1.18 there are generics, and until Go 1.22 iterations share their variables.
func TestOldLanguage(t *testing.T) {
	for _, directive := range sample.Of(1, []string{"go 1.12", "go 1.20", ""}) {
		t.Run(directive, func(t *testing.T) {
			archive, err := txtar.ParseFile("testdata/old.txtar")
			if err != nil {
				t.Fatal(err)
			}
			archive.Files = append(archive.Files, txtar.File{Name: "go.mod", Data: []byte("module example.com/old\n\n" + directive + "\n")})
			s := load(t, extract(t, archive), ".")
			want, code := s.output(t, gotool.Overlay{})
			if code != 0 || strings.Count(want, "\n") < 12 {
				t.Fatalf("the original exits with %d:\n%s", code, want)
			}
			r, err := s.in.Rewrite(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range r.Uncontrolled {
				t.Error(u)
			}
			for _, name := range []string{"loops.go", "plus.go", "both.go", "newer.go", "old_test.go", "part/part.go"} {
				if text := r.Overlay[s.program.File(name).Name]; !strings.Contains(string(text), "zzsched.") {
					t.Errorf("%s is not rewritten:\n%s", name, text)
				}
			}
			got, _ := s.output(t, r.Overlay)
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("-original +rewritten:\n%s", diff)
			}
			if r.Alone != "" {
				t.Fatalf("it cannot be cloned: %s", r.Alone)
			}
			b := s.in.Batch([]*Rewritten{r})
			binary := filepath.Join(t.TempDir(), "x.test")
			if err := s.tool.BuildTest(t.Context(), gotool.BuildOptions{Package: b.Package, Overlay: b.Overlay, Output: binary}); err != nil {
				t.Error(err)
			}
		})
	}
}
