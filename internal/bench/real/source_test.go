package real

import (
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/repository"
	"mendel/internal/sample"
)

// newBug is a bug of a repository that was made for it, and the directory of the clones.
func newBug(t *testing.T) (b repository.Bug, clones string) {
	t.Helper()
	clones, parent, fix := benchtest.CloneWithBug(t)
	return repository.Bug{
		Name: "name-" + fix[:8], Repo: "owner/name", Parent: parent, FixCommit: fix, Package: "sub", Test: "TestRace", TestFiles: []string{"sub/race_test.go"},
		Race: true, Timeout: "10s", GoMod: strings.Split(strings.TrimSpace(benchtest.CounterMod), "\n"), Remove: []string{"broken"}, HumanFixFiles: []string{"sub/counter.go"},
		Kind: "data race", Description: "add has no lock.", HumanLines: 2,
	}, clones
}

// prepared makes the faulty tree of a source.
func prepared(t *testing.T) (s repository.Source, tree string) {
	t.Helper()
	b, clones := newBug(t)
	s, err := repository.Shelf{Dir: clones}.Find(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	tree = filepath.Join(t.TempDir(), "tree")
	if err := s.Prepare(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
	return s, tree
}

// The test fails before the human fix and passes after it; else the entry is wrong.
func TestCheckManifest(t *testing.T) {
	s, tree := prepared(t)
	m, err := checkManifest(t.Context(), s, tree, 2)
	if err != nil || m.Problem != "" || m.Before.Failed != 1 || m.After != (Runs{Done: 2}) {
		t.Errorf("%+v, %v", m, err)
	}
	s.Test = "TestNone"
	m, err = checkManifest(t.Context(), s, tree+"-human", 2)
	if err != nil || !strings.Contains(m.Problem, "did not run") {
		t.Errorf("a test that is not there: %+v, %v", m, err)
	}
	if !sample.All() {
		return
	}
	s.Test = "TestOne"
	tree2 := filepath.Join(t.TempDir(), "tree")
	if err := repository.CopyTree(tree2, tree); err != nil {
		t.Fatal(err)
	}
	m, err = checkManifest(t.Context(), s, tree2, 2)
	if err != nil || !strings.Contains(m.Problem, "does not fail") {
		t.Errorf("a test that shows no bug: %+v, %v", m, err)
	}
}

// The human fix withstands verification; patches that are none do not.
func TestVerifyPatch(t *testing.T) {
	s, tree := prepared(t)
	human, err := s.HumanDiff(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := verifyPatch(t.Context(), s, tree, human, 2)
	if err != nil || len(v.Problems()) > 0 || v.Passed != 1 || v.Test != (Runs{Done: 2}) {
		t.Errorf("the human fix: %+v, %v", v, err)
	}
	for _, c := range sample.Of(3, []struct{ what, patch, want string }{
		{"leaves the race", strings.ReplaceAll(strings.ReplaceAll(human, "+\tmu.Lock()", "+\t// before"), "+\tmu.Unlock()", "+\t// after"), "the test fails in 2 of 2 runs"},
		{"does not apply", strings.ReplaceAll(human, "func add", "func sub"), "git apply"},
		{"does not build", strings.ReplaceAll(human, "+\tmu.Unlock()", "+\tmu.Open()"), "go build"},
		{"is nothing to vet", strings.ReplaceAll(human, "+\tmu.Unlock()", "+\tmu.Unlock(); n = n"), "go vet"},
		{"breaks another test", strings.ReplaceAll(human, "+\tmu.Unlock()", "+\tn--; mu.Unlock()"), "TestOne passed before"},
	}) {
		v, err := verifyPatch(t.Context(), s, tree, c.patch, 2)
		if err != nil || !strings.Contains(strings.Join(v.Problems(), "\n"), c.want) {
			t.Errorf("%s: %+v, %v", c.what, v, err)
		}
	}
}

func TestPassed(t *testing.T) {
	got := passed([]byte("=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestB/sub (0.00s)\n--- FAIL: TestB (0.00s)\nsome text--- PASS: TestC (1.00s)\n--- SKIP: TestD (0.00s)\nFAIL\n"))
	if strings.Join(got, " ") != "TestA TestC" {
		t.Errorf("passed are %q", got)
	}
}
