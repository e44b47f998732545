package batch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"mendel/internal/dossier"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/mutate"
)

// Edits that touch contradict each other, unless they are the same.
func TestJoin(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\nfive\n"
	for _, c := range []struct{ name, a, b, want string }{
		{"apart", "one\ntwo\nthree\nfour\nfive\nsix\n", "zero\none\ntwo\nthree\nfour\nfive\n", "zero\none\ntwo\nthree\nfour\nfive\nsix\n"},
		{"the same and another", "one\ntwo\n2\nthree\nfour\nfive\n", "one\ntwo\n2\nthree\nfour\n4\nfive\n", "one\ntwo\n2\nthree\nfour\n4\nfive\n"},
		{"the same", "one\nfive\n", "one\nfive\n", "one\nfive\n"},
		{"two at one place", "one\n1\ntwo\nthree\nfour\nfive\n", "one\n2\ntwo\nthree\nfour\nfive\n", ""},
		{"one line otherwise", "one\n2\nthree\nfour\nfive\n", "one\n22\nthree\nfour\nfive\n", ""},
		{"one beside the other", "one\n2\nthree\nfour\nfive\n", "one\ntwo\n3\nfour\nfive\n", ""},
		{"one within the other", "one\nfive\n", "one\ntwo\nthree\n3\nfour\nfive\n", ""},
	} {
		edits, ok := join(udiff.Lines(text, c.a), udiff.Lines(text, c.b))
		if ok != (c.want != "") {
			t.Errorf("%s: joined %t", c.name, ok)
			continue
		}
		if got, err := udiff.Apply(text, edits); ok && (err != nil || got != c.want) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// shared is what several packages use, and their fixes change.
const shared = `package store

var n int

func Add() {
	n++
}

func Get() int {
	return n
}
`

// storeFix is a package's fix that changes the store by replacing one text.
func storeFix(t *testing.T, dir string, replace ...string) func(context.Context, result.Wanted) (*result.Result, error) {
	t.Helper()
	after := strings.NewReplacer(replace...).Replace(shared)
	return func(_ context.Context, o result.Wanted) (*result.Result, error) {
		if err := os.MkdirAll(o.Out, 0o777); err != nil {
			t.Fatal(err)
		}
		d := &dossier.Dossier{Version: dossier.Version, Dir: dir, Status: "fixed", Fixes: []dossier.Fix{{
			Patch: "fix-1.patch", Files: []dossier.File{{Path: "store/store.go", Before: shared, After: after}},
		}}}
		if err := dossier.Write(o.Out, d); err != nil {
			t.Fatal(err)
		}
		edit := mutate.Edit{Operator: "addlock", File: "store/store.go", Line: len(after)}
		return &result.Result{Status: result.Fixed, Fixes: []result.Fix{{Patch: "fix-1.patch", Edits: []mutate.Edit{edit}}}}, nil
	}
}

const (
	imports  = "package store\n"
	guarded  = "package store\n\nimport \"sync\"\n\nvar mu sync.Mutex\n"
	add, get = "\tn++\n", "\treturn n\n"
	lockAdd  = "\tmu.Lock()\n\tn++\n\tmu.Unlock()\n"
	lockGet  = "\tmu.Lock()\n\tdefer mu.Unlock()\n\treturn n\n"
)

// The fixes of all packages make one patch that git applies, though they change one
// file; one that contradicts the others is left out and named. To write them has the
// same result.
func TestSeriesCombined(t *testing.T) {
	w := newSeriesWorld(t, "plainstore", "one", "three", "two")
	put := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(w.dir, "store"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(w.dir, "store", "store.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(shared)
	for i, name := range []string{"one", "two", "three"} {
		w.looks[name] = sees(original.Triage{Failed: 20, Runs: 20, Edits: i}, "data race in "+name)
	}
	w.repairs["one"] = storeFix(t, w.dir, imports, guarded, add, lockAdd)
	w.repairs["two"] = storeFix(t, w.dir, imports, guarded, get, lockGet)
	w.repairs["three"] = storeFix(t, w.dir, add, "\tn += 1\n")
	s, err := w.run(context.Background(), result.Wanted{})
	if err != nil || len(s.Combined) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	c := s.Combined[0]
	if !slices.Equal(c.Of, []string{"example.com/m/one", "example.com/m/two"}) || !slices.Equal(c.LeftOut, []string{"example.com/m/three"}) ||
		!strings.Contains(c.Problem, "the fix of example.com/m/three is left out: it changes the same lines of store/store.go as the fix of example.com/m/one") {
		t.Errorf("%+v", c)
	}
	want := strings.NewReplacer(imports, guarded, add, lockAdd, get, lockGet).Replace(shared)
	source := func() string {
		text, err := os.ReadFile(filepath.Join(w.dir, "store", "store.go"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	git := exec.Command("git", "apply", filepath.Join(w.out, c.Patch))
	git.Dir, git.Env = w.dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(w.dir))
	if out, err := git.CombinedOutput(); err != nil || source() != want {
		t.Errorf("git apply: %v\n%s%s", err, out, source())
	}
	put(shared)
	applied, err := s.Apply(false)
	if len(applied) != 2 || err == nil || !strings.Contains(err.Error(), "three") || source() != want {
		t.Errorf("applied %v, %v\n%s", applied, err, source())
	}
	// A second time, and where one of them is there already, nothing else comes out.
	if again, _ := s.Apply(false); !slices.Equal(again, applied) || source() != want {
		t.Errorf("applied %v again\n%s", again, source())
	}
}

// Where the fixes do not build together there is no patch of all, and the first one
// alone is written.
func TestSeriesDoesNotCombine(t *testing.T) {
	w := newSeriesWorld(t, "one", "two")
	for name, text := range map[string]string{"store/store.go": shared, "one/a_test.go": "package one\n\nimport _ \"example.com/m/store\"\n"} {
		name = filepath.Join(w.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"one", "two"} {
		w.looks[name] = sees(original.Triage{Failed: 20, Runs: 20, Edits: i}, "data race")
	}
	w.repairs["one"] = storeFix(t, w.dir, imports, guarded, add, lockAdd)
	w.repairs["two"] = storeFix(t, w.dir, "\treturn n\n}\n", "\tmu <- true\n\tdefer func() { <-mu }()\n\treturn n\n}\n\nvar mu = make(chan bool, 1)\n")
	s, err := w.run(context.Background(), result.Wanted{})
	if err != nil || len(s.Combined) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	c := s.Combined[0]
	if c.Patch != "" || len(c.Of) > 0 || len(c.LeftOut) != 2 || !strings.Contains(c.Problem, "do not build together") {
		t.Errorf("%+v", c)
	}
	if left, _ := filepath.Glob(filepath.Join(w.out, "all*.patch")); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
	applied, err := s.Apply(false)
	if len(applied) != 1 || err == nil || !strings.Contains(err.Error(), "do not build together") {
		t.Errorf("applied %v, %v", applied, err)
	}
}
