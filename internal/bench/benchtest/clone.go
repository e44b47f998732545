package benchtest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// CounterMod, FaultyCounter and RaceTest are the go.mod of the repository that
// CloneWithBug makes, its source before the fix, and the test of the bug.
const (
	CounterMod    = "module example.com/counter\n\ngo 1.21\n"
	FaultyCounter = "package counter\n\nimport \"sync\"\n\nvar (\n\tmu sync.Mutex\n\tn  int\n)\n\nfunc add() {\n\tn++\n}\n"
	RaceTest      = `package counter

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
	mendedCounter = "package counter\n\nimport \"sync\"\n\nvar (\n\tmu sync.Mutex\n\tn  int\n)\n\nfunc add() {\n\tmu.Lock()\n\tn++\n\tmu.Unlock()\n}\n"
	otherTest     = "package counter\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tbefore := n\n\tadd()\n\tif n != before+1 {\n\t\tt.Error(n)\n\t}\n}\n\nfunc TestSkipped(t *testing.T) { t.Skip() }\n"
)

// CloneWithBug makes a repository owner/name whose package sub has a counter without a
// lock. It returns a directory with the bare clone of it, the commit before the fix, and
// the fix. The test of the bug, TestRace in sub/race_test.go, comes with the fix.
func CloneWithBug(t *testing.T) (clones, parent, fix string) {
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
			WriteFile(t, filepath.Join(work, name), text)
		}
		run("add", "-A")
		run("commit", "--quiet", "--message", "x")
		return run("rev-parse", "HEAD")
	}
	run("init", "--quiet")
	parent = commit(map[string]string{"go.mod": "module old\n", "sub/counter.go": FaultyCounter, "sub/counter_test.go": otherTest, "sub/testdata/x": "kept", "broken/x.go": "no Go"})
	fix = commit(map[string]string{"sub/counter.go": mendedCounter, "sub/race_test.go": RaceTest})
	clones = t.TempDir()
	run("clone", "--quiet", "--bare", work, filepath.Join(clones, "owner+name", "repo"))
	return clones, parent, fix
}
