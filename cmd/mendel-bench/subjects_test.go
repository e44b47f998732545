package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const subjectsDir = "../../subjects"

// Each subject is complete, and its corrected copy is the same module with the
// same tests.
func TestSubjectsAreComplete(t *testing.T) {
	subjects, err := readSubjects(subjectsDir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		t.Run(s.Name, func(t *testing.T) {
			if s.Name != filepath.Base(s.dir) {
				t.Errorf("it lies in %s", s.dir)
			}
			for what, text := range map[string]string{"origin": s.Origin, "kind": s.Kind, "bug": s.Bug, "good_fix": s.GoodFix, "poor_fix": s.PoorFix} {
				if text == "" {
					t.Errorf("subject.json has no %s", what)
				}
			}
			if _, err := time.ParseDuration(s.COREIMCTime); err != nil && s.COREIMCTime != "" { // what CORE does not repair has none
				t.Error(err)
			}
			different := 0
			for _, name := range sourceNames(t, s.dir) {
				buggy, fixed := read(t, filepath.Join(s.dir, name)), read(t, filepath.Join(s.dir, "testdata", "fixed", name))
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
			serialised, err := newlySerialised(s.dir, filepath.Join(s.dir, "testdata", "fixed"))
			if err != nil || len(serialised) > 0 {
				t.Errorf("the corrected copy serialises goroutines: %v, %v", serialised, err)
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

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestReadSubjectsOnly(t *testing.T) {
	subjects, err := readSubjects(subjectsDir, []string{"deadlock"})
	if err != nil || len(subjects) != 1 || subjects[0].Kind != "deadlock" {
		t.Errorf("subjects %v, error %v", subjects, err)
	}
	for _, c := range []struct {
		dir, only, want string
	}{
		{subjectsDir, "nosuch", "no subject nosuch"},
		{t.TempDir(), "", "no */subject.json"},
	} {
		var only []string
		if c.only != "" {
			only = []string{c.only}
		}
		if _, err := readSubjects(c.dir, only); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func TestSubjectsRefusesNonsense(t *testing.T) {
	for _, args := range [][]string{{"--seeds=0"}, {"--runs=-1"}, {"--budget=0s"}, {"--checker=maybe"}, {"--nosuch"}, {"account"}, {"--subjects", subjectsDir, "--out", "main.go/x"}} {
		c := newSubjectsCommand()
		c.SetArgs(args)
		c.SetOut(io.Discard)
		c.SetErr(io.Discard)
		if err := c.ExecuteContext(t.Context()); err == nil {
			t.Errorf("%q is no error", args)
		} else if regexp.MustCompile(`repair|goroutine`).MatchString(err.Error()) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// Both ways of each seed are tried, and neither is always the first.
func TestWays(t *testing.T) {
	for _, c := range []struct {
		checker string
		want    [][]bool
	}{
		{withChecker, [][]bool{{false}, {false}}},
		{withoutChecker, [][]bool{{true}, {true}}},
		{bothWays, [][]bool{{false, true}, {true, false}}},
	} {
		for i, want := range c.want {
			if got := (subjectsOptions{checker: c.checker}).ways(i); !slices.Equal(got, want) {
				t.Errorf("--checker %s, seed %d: without checker %v, want %v", c.checker, i, got, want)
			}
		}
	}
}
