package identity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/benchtest"
)

func TestMendelVersion(t *testing.T) {
	got, err := Mendel()
	if err != nil {
		t.Fatal(err)
	}
	want, err := hashTree("../../..", ofMendel)
	if err != nil || got != want {
		t.Errorf("version %s here and %s from the root, error %v", got, want, err)
	}
	t.Chdir(t.TempDir())
	elsewhere, err := Mendel()
	if err != nil || elsewhere == "" || elsewhere == got {
		t.Errorf("outside of the source: %q, %v", elsewhere, err)
	}
}

func TestHashTree(t *testing.T) {
	dir := t.TempDir()
	benchtest.WriteFile(t, filepath.Join(dir, "go.mod"), "module mendel\n")
	benchtest.WriteFile(t, filepath.Join(dir, "evolve", "a.go"), "package evolve\n")
	hash := func() string {
		h, err := hashTree(dir, ofMendel)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	first := hash()
	for _, name := range []string{"README.md", "a_test.go", "cmd/x/main.go", "docs/x.go", "internal/bench/x.go", "subjects/s/s.go", "mutate/testdata/x.go", ".git/x.go", "evolve/.x/y.go"} {
		benchtest.WriteFile(t, filepath.Join(dir, filepath.FromSlash(name)), "package x\n")
		if hash() != first {
			t.Errorf("%s changes the version", name)
		}
	}
	seen := map[string]string{first: "nothing"}
	for _, change := range []struct {
		what string
		make func() error
	}{
		{"another content", func() error {
			return os.WriteFile(filepath.Join(dir, "evolve", "a.go"), []byte("package evolve // x\n"), 0o666)
		}},
		{"another name", func() error {
			return os.Rename(filepath.Join(dir, "evolve", "a.go"), filepath.Join(dir, "evolve", "b.go"))
		}},
		{"a new file", func() error { return os.WriteFile(filepath.Join(dir, "go.sum"), nil, 0o666) }},
	} {
		if err := change.make(); err != nil {
			t.Fatal(err)
		}
		if before, known := seen[hash()]; known {
			t.Errorf("%s: the version is that of %s", change.what, before)
		}
		seen[hash()] = change.what
	}
	if _, err := hashTree(filepath.Join(dir, "nosuch"), ofMendel); err == nil {
		t.Error("no error for a directory that is not there")
	}
}

// A module's own files count, its testdata does not: programs.Copy leaves it out.
func TestModuleID(t *testing.T) {
	dir := benchtest.WriteModule(t)
	before, err := Module(dir)
	if err != nil {
		t.Fatal(err)
	}
	benchtest.WriteFile(t, filepath.Join(dir, "testdata", "fixed", "counter.go"), "package counter\n")
	if after, err := Module(dir); err != nil || after != before {
		t.Errorf("testdata changes it: %v", err)
	}
	benchtest.WriteFile(t, filepath.Join(dir, "counter_test.go"), "package counter\n")
	if after, err := Module(dir); err != nil || after == before {
		t.Errorf("a test does not change it: %v", err)
	}
}

// Patches that do the same to the code are one, whatever was noted about it.
func TestPatchID(t *testing.T) {
	commented := strings.NewReplacer("@@ -14,5 +14,7 @@", "@@ -14,5 +14,8 @@", "+\tmu.Lock()", "+\t// n is changed by get\n+\tmu.Lock()").Replace(benchtest.LockingPatch)
	same := []string{benchtest.LockingPatch, commented, "Fix data race in add\n\n10 of 10 runs failed.\n\n" + benchtest.LockingPatch}
	for _, p := range same[1:] {
		if Patch(p) != Patch(benchtest.LockingPatch) {
			t.Errorf("another patch:\n%s", p)
		}
	}
	seen := map[string]string{Patch(benchtest.LockingPatch): benchtest.LockingPatch}
	for _, p := range []string{
		strings.ReplaceAll(benchtest.LockingPatch, "mu.Lock", "mu.RLock"),
		strings.ReplaceAll(benchtest.LockingPatch, "-14,5", "-24,5"),
		strings.ReplaceAll(benchtest.LockingPatch, "counter.go", "other.go"),
		strings.ReplaceAll(benchtest.LockingPatch, "+\tmu.Lock()", "+\t//go:noinline"),
		"no diff", "none either",
	} {
		if q, known := seen[Patch(p)]; known {
			t.Errorf("the same patch:\n%s\nand\n%s", p, q)
		}
		seen[Patch(p)] = p
	}
}
