package repository

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/benchtest"
)

// newBug is a bug of a repository that was made for it, and the directory of the clones.
func newBug(t *testing.T) (b Bug, clones string) {
	t.Helper()
	clones, parent, fix := benchtest.CloneWithBug(t)
	return Bug{
		Name: "name-" + fix[:8], Repo: "owner/name", Parent: parent, FixCommit: fix, Package: "sub", Test: "TestRace", TestFiles: []string{"sub/race_test.go"},
		Race: true, Timeout: "10s", GoMod: strings.Split(strings.TrimSpace(benchtest.CounterMod), "\n"), Remove: []string{"broken"}, HumanFixFiles: []string{"sub/counter.go"},
		Kind: "data race", Description: "add has no lock.", HumanLines: 2,
	}, clones
}

// prepared makes the faulty tree of a source.
func prepared(t *testing.T) (s Source, tree string) {
	t.Helper()
	b, clones := newBug(t)
	s, err := Shelf{Dir: clones}.Find(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	tree = filepath.Join(t.TempDir(), "tree")
	if err := s.Prepare(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
	return s, tree
}

func TestPrepare(t *testing.T) {
	s, tree := prepared(t)
	for name, want := range map[string]string{"go.mod": benchtest.CounterMod, "sub/counter.go": benchtest.FaultyCounter, "sub/race_test.go": benchtest.RaceTest, "sub/testdata/x": "kept"} {
		if got := string(benchtest.Read(t, filepath.Join(tree, name))); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(tree, "broken")); err == nil {
		t.Error("what is to be removed is there")
	}
	diff, err := s.HumanDiff(t.Context())
	if err != nil || !strings.Contains(diff, "+\tmu.Lock()") || strings.Contains(diff, "race_test.go") {
		t.Errorf("the human fix is %s, %v", diff, err)
	}
}

// A clone that is nowhere is an error that says what to do, and one that lacks a
// commit, too.
func TestShelf(t *testing.T) {
	b, shelf := newBug(t)
	for _, at := range []Shelf{{Dir: shelf, Cache: t.TempDir()}, {Cache: shelf}} {
		if _, err := at.Find(t.Context(), b); err != nil {
			t.Error(err)
		}
	}
	lacking := b
	lacking.FixCommit = strings.Repeat("0a", 20)
	if _, err := (Shelf{Dir: shelf, Cache: t.TempDir()}).Find(t.Context(), lacking); err == nil || !strings.Contains(err.Error(), "bring the clone up to date") {
		t.Errorf("a commit that is not there: %v", err)
	}
	cache := filepath.Join(t.TempDir(), "cache")
	clone := filepath.Join(cache, "other+name")
	if err := fetch(t.Context(), filepath.Join(shelf, "nosuch"), clone); err == nil {
		t.Error("what is nowhere was cloned")
	}
	if err := fetch(t.Context(), filepath.Join(shelf, "owner+name", "repo"), clone); err != nil {
		t.Fatal(err)
	}
	other := b
	other.Repo = "other/name"
	if got, err := (Shelf{Cache: cache}).Find(t.Context(), other); err != nil || got.clone != clone {
		t.Errorf("the clone in the cache: %s, %v", got.clone, err)
	}
}
