package real

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/benchtest"
)

// The repository of a bug as it might be: a counter without a lock, and the fix.
const (
	goModFile = "module example.com/counter\n\ngo 1.21\n"
	faulty    = "package counter\n\nimport \"sync\"\n\nvar (\n\tmu sync.Mutex\n\tn  int\n)\n\nfunc add() {\n\tn++\n}\n"
	mended    = "package counter\n\nimport \"sync\"\n\nvar (\n\tmu sync.Mutex\n\tn  int\n)\n\nfunc add() {\n\tmu.Lock()\n\tn++\n\tmu.Unlock()\n}\n"
	otherTest = "package counter\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tbefore := n\n\tadd()\n\tif n != before+1 {\n\t\tt.Error(n)\n\t}\n}\n\nfunc TestSkipped(t *testing.T) { t.Skip() }\n"
	raceTest  = `package counter

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			add()
		}()
	}
	wg.Wait()
}
`
)

// newSource makes a bare clone of a repository with a bug on a shelf, and returns
// the bug's source and the shelf's directory.
func newSource(t *testing.T) (s source, shelf string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	work := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"}, args...)...)
		c.Dir = work
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(files map[string]string) string {
		t.Helper()
		for name, text := range files {
			benchtest.WriteFile(t, filepath.Join(work, name), text)
		}
		run("add", "-A")
		run("commit", "--quiet", "--message", "x")
		return run("rev-parse", "HEAD")
	}
	run("init", "--quiet")
	parent := commit(map[string]string{"go.mod": "module old\n", "sub/counter.go": faulty, "sub/counter_test.go": otherTest, "sub/testdata/x": "kept", "broken/x.go": "no Go"})
	fix := commit(map[string]string{"sub/counter.go": mended, "sub/race_test.go": raceTest})
	shelf = t.TempDir()
	run("clone", "--quiet", "--bare", work, filepath.Join(shelf, "owner+name", "repo"))
	s = source{Bug: Bug{
		Name: "name-" + fix[:8], Repo: "owner/name", Parent: parent, FixCommit: fix, Package: "sub", Test: "TestRace", TestFiles: []string{"sub/race_test.go"},
		Race: true, Timeout: "10s", GoMod: strings.Split(strings.TrimSpace(goModFile), "\n"), Remove: []string{"broken"}, HumanFixFiles: []string{"sub/counter.go"},
		Kind: "data race", Description: "add has no lock.", HumanLines: 2,
	}}
	return s, shelf
}

// prepared makes the faulty tree of a source.
func prepared(t *testing.T) (s source, tree string) {
	t.Helper()
	s, shelf := newSource(t)
	var err error
	if s.clone, err = (Shelf{Dir: shelf}).find(t.Context(), s.Bug); err != nil {
		t.Fatal(err)
	}
	tree = filepath.Join(t.TempDir(), "tree")
	if err := s.prepare(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
	return s, tree
}

func TestPrepare(t *testing.T) {
	s, tree := prepared(t)
	for name, want := range map[string]string{"go.mod": goModFile, "sub/counter.go": faulty, "sub/race_test.go": raceTest, "sub/testdata/x": "kept"} {
		if got := string(benchtest.Read(t, filepath.Join(tree, name))); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(tree, "broken")); err == nil {
		t.Error("what is to be removed is there")
	}
	diff, err := s.humanDiff(t.Context())
	if err != nil || !strings.Contains(diff, "+\tmu.Lock()") || strings.Contains(diff, "race_test.go") {
		t.Errorf("the human fix is %s, %v", diff, err)
	}
}

// The test fails before the human fix and passes after it; else the entry is wrong.
func TestCheckManifest(t *testing.T) {
	s, tree := prepared(t)
	m, err := s.checkManifest(t.Context(), tree, 2)
	if err != nil || m.Problem != "" || m.Before.Failed != 1 || m.After != (Runs{Done: 2}) {
		t.Errorf("%+v, %v", m, err)
	}
	s.Test = "TestNone"
	m, err = s.checkManifest(t.Context(), tree+"-human", 2)
	if err != nil || !strings.Contains(m.Problem, "did not run") {
		t.Errorf("a test that is not there: %+v, %v", m, err)
	}
	s.Test = "TestOne"
	tree2 := filepath.Join(t.TempDir(), "tree")
	if err := copyTree(tree2, tree); err != nil {
		t.Fatal(err)
	}
	m, err = s.checkManifest(t.Context(), tree2, 2)
	if err != nil || !strings.Contains(m.Problem, "does not fail") {
		t.Errorf("a test that shows no bug: %+v, %v", m, err)
	}
}

// The human fix withstands verification; patches that are none do not.
func TestVerifyPatch(t *testing.T) {
	s, tree := prepared(t)
	human, err := s.humanDiff(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.verifyPatch(t.Context(), tree, human, 2)
	if err != nil || len(v.Problems()) > 0 || v.Passed != 1 || v.Test != (Runs{Done: 2}) {
		t.Errorf("the human fix: %+v, %v", v, err)
	}
	for _, c := range []struct{ what, patch, want string }{
		{"does not apply", strings.ReplaceAll(human, "func add", "func sub"), "git apply"},
		{"does not build", strings.ReplaceAll(human, "+\tmu.Unlock()", "+\tmu.Open()"), "go build"},
		{"leaves the race", strings.ReplaceAll(strings.ReplaceAll(human, "+\tmu.Lock()", "+\t// before"), "+\tmu.Unlock()", "+\t// after"), "the test fails in 2 of 2 runs"},
		{"breaks another test", strings.ReplaceAll(human, "+\tmu.Unlock()", "+\tn--; mu.Unlock()"), "TestOne passed before"},
		{"is nothing to vet", strings.ReplaceAll(human, "+\tmu.Unlock()", "+\tmu.Unlock(); n = n"), "go vet"},
	} {
		v, err := s.verifyPatch(t.Context(), tree, c.patch, 2)
		if err != nil || !strings.Contains(strings.Join(v.Problems(), "\n"), c.want) {
			t.Errorf("%s: %+v, %v", c.what, v, err)
		}
	}
}

// A clone that is nowhere is an error that says what to do, and one that lacks a
// commit, too.
func TestShelf(t *testing.T) {
	s, shelf := newSource(t)
	for _, at := range []Shelf{{Dir: shelf, Cache: t.TempDir()}, {Cache: shelf}} {
		if _, err := at.find(t.Context(), s.Bug); err != nil {
			t.Error(err)
		}
	}
	lacking := s.Bug
	lacking.FixCommit = strings.Repeat("0a", 20)
	if _, err := (Shelf{Dir: shelf, Cache: t.TempDir()}).find(t.Context(), lacking); err == nil || !strings.Contains(err.Error(), "bring the clone up to date") {
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
	other := s.Bug
	other.Repo = "other/name"
	if got, err := (Shelf{Cache: cache}).find(t.Context(), other); err != nil || got != clone {
		t.Errorf("the clone in the cache: %s, %v", got, err)
	}
}

func TestPassed(t *testing.T) {
	got := passed([]byte("=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestB/sub (0.00s)\n--- FAIL: TestB (0.00s)\nsome text--- PASS: TestC (1.00s)\n--- SKIP: TestD (0.00s)\nFAIL\n"))
	if strings.Join(got, " ") != "TestA TestC" {
		t.Errorf("passed are %q", got)
	}
}
