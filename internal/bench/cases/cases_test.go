package cases

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/internal/bench/programs"
	"mendel/internal/sample"
)

// All archives can be read, and the patches of some be applied.
func TestRead(t *testing.T) {
	all, err := Read(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 160 {
		t.Errorf("%d programs", len(all))
	}
	applied := sample.Of(20, all)
	named := map[string]bool{}
	for _, p := range all {
		if named[p.Name] {
			t.Errorf("two programs are named %s", p.Name)
		}
		named[p.Name] = true
		if p.Kind == "" || p.What == "" || p.Truth[0].Name != "fix" || !p.Truth[0].Right {
			t.Errorf("%s: kind %q, what %q, first patch %s", p.Name, p.Kind, p.What, p.Truth[0].Name)
		}
		if len(p.Faults) == 0 && p.Set != "libraries" {
			t.Errorf("%s: nobody says what its bug is called", p.Name)
		}
		if !slices.ContainsFunc(applied, func(a Program) bool { return a.Name == p.Name }) {
			continue
		}
		dir := t.TempDir()
		source := filepath.Join(dir, "source")
		if err := p.Write(source); err != nil {
			t.Fatal(err)
		}
		for _, patch := range p.Truth {
			said, err := programs.PatchedCopy(t.Context(), filepath.Join(dir, strings.ReplaceAll(patch.Name, "/", "-")), source, patch.Text)
			if err != nil || said != "" {
				t.Errorf("%s, %s: %s, %v", p.Name, patch.Name, said, err)
			}
		}
	}
}

func TestPackage(t *testing.T) {
	all, err := Read(nil, []string{"linepool", "pager"})
	if err != nil || len(all) != 2 {
		t.Fatalf("%d programs, %v", len(all), err)
	}
	for _, p := range all {
		if want := map[string]string{"linepool": "./pool", "pager": "."}[p.Name]; p.Package() != want {
			t.Errorf("the fix of %s changes package %s, want %s", p.Name, p.Package(), want)
		}
	}
}

func TestReadOnly(t *testing.T) {
	small, err := Read([]string{"small"}, []string{"recheck", "samelock"})
	if err != nil || len(small) != 2 {
		t.Errorf("%d programs, %v", len(small), err)
	}
	if _, err := Read([]string{"large"}, nil); err == nil {
		t.Error("a set that does not exist is read")
	}
	if _, err := Read([]string{"small"}, []string{"portal"}); err == nil {
		t.Error("a program that is not of the set is read")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"kind\n-- go.mod --\nmodule m\n",
		"kind\n-- a.go --\npackage a\n-- truth/fix.patch --\n",
		"kind\n-- go.mod --\nmodule m\n-- truth/fix.patch --\n-- truth/other.txt --\n",
		"kind\n-- go.mod --\nmodule m\n-- truth/faults --\nbad luck\n-- truth/fix.patch --\n",
	} {
		if _, err := Parse("small", "odd", []byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// What right patches change is known by the functions, also what an alternative changes.
func TestEdited(t *testing.T) {
	small, err := Read([]string{"small"}, []string{"recheck"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Edited(t.Context(), small[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"batcher.go (*Batcher).Write", "batcher.go (*Batcher).add"} {
		if !got[want] {
			t.Errorf("no %s in %v", want, got)
		}
	}
	if got["batcher.go (*Batcher).flush"] || got["batcher.go (*Batcher).Close"] {
		t.Errorf("what no patch changes: %v", got)
	}
}
