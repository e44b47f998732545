package subject

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mendel/internal/bench/benchtest"
)

// Each subject is complete, and its corrected copy is the same module with the
// same tests.
func TestSubjectsAreComplete(t *testing.T) {
	subjects, err := Read(benchtest.SubjectsDir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		t.Run(s.Name, func(t *testing.T) {
			if s.Name != filepath.Base(s.Dir) {
				t.Errorf("it lies in %s", s.Dir)
			}
			for what, text := range map[string]string{"origin": s.Origin, "kind": s.Kind, "bug": s.Bug, "good_fix": s.GoodFix, "poor_fix": s.PoorFix} {
				if text == "" {
					t.Errorf("subject.json has no %s", what)
				}
			}
			different := 0
			for _, name := range sourceNames(t, s.Dir) {
				buggy, fixed := benchtest.Read(t, filepath.Join(s.Dir, name)), benchtest.Read(t, filepath.Join(s.Corrected(), name))
				if bytes.Equal(buggy, fixed) {
					continue
				}
				different++
				if name == "go.mod" || strings.HasSuffix(name, "_test.go") {
					t.Errorf("the corrected copy has another %s", name)
				}
			}
			if different == 0 {
				t.Error("the corrected copy is not corrected")
			}
		})
	}
}

// sourceNames lists go.mod and the Go files of a directory.
func sourceNames(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) < 2 {
		t.Fatalf("source of %s: %q, %v", dir, names, err)
	}
	for i, n := range names {
		names[i] = filepath.Base(n)
	}
	return append(names, "go.mod")
}

func TestReadSubjectsOnly(t *testing.T) {
	subjects, err := Read(benchtest.SubjectsDir, []string{"deadlock"})
	if err != nil || len(subjects) != 1 || subjects[0].Kind != "deadlock" {
		t.Fatalf("subjects %v, error %v", subjects, err)
	}
	if got, want := subjects[0].Published(), 6*time.Minute+8*time.Second; got != want {
		t.Errorf("CORE-IMC's time %v, want %v", got, want)
	}
	odd := t.TempDir()
	benchtest.WriteFile(t, filepath.Join(odd, "x", "subject.json"), `{"name": "x", "core_imc_time": "soon"}`)
	for _, c := range []struct {
		dir, only, want string
	}{
		{benchtest.SubjectsDir, "nosuch", "no subject nosuch"},
		{t.TempDir(), "", "no */subject.json"},
		{odd, "", "core_imc_time"},
	} {
		var only []string
		if c.only != "" {
			only = []string{c.only}
		}
		if _, err := Read(c.dir, only); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// CORE's subjects are fourteen, and of each class of our own there are two or more.
func TestSets(t *testing.T) {
	all, err := Read(benchtest.SubjectsDir, nil)
	if err != nil {
		t.Fatal(err)
	}
	core, own := InSet(all, CoreSet), InSet(all, OwnSet)
	if len(core) != 14 || len(core)+len(own) != len(all) || len(InSet(all, AllSets)) != len(all) {
		t.Errorf("%d subjects of CORE's and %d of our own, %d in all", len(core), len(own), len(all))
	}
	classes := map[string]int{}
	for _, s := range own {
		classes[s.Class]++
	}
	for class, n := range classes {
		if n < 2 {
			t.Errorf("%d subject of the class %q", n, class)
		}
	}
}
