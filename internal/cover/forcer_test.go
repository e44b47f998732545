package cover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// lost is a program that loses an update when a second goroutine comes between two
// critical sections of the first.
const lost = `package p

import "sync"

type account struct {
	mu sync.Mutex
	n  int
}

func (a *account) add(by int) {
	a.mu.Lock()
	n := a.n
	a.mu.Unlock()
	a.mu.Lock()
	a.n = n + by
	a.mu.Unlock()
}
`

const lostTest = `package p

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var a account
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { a.add(1) })
	}
	wg.Wait()
	if a.n != 2 {
		t.Error("lost")
	}
}
`

// What fails the original fails a mutant that mends nothing, and passes one that mends
// it; where its places are gone, nothing is run.
func TestForcer(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1") // the test hardly ever fails by itself: a failure that is not forced ends what Find does
	dir := t.TempDir()
	name := filepath.Join(dir, "p.go")
	for file, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": lost, "p_test.go": lostTest} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	program, err := analysistest.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	narrowing, err := analysis.Narrow(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewForcer(ForcerOptions{Tool: tool, Program: program, Narrowing: narrowing, Workers: 1, NoRace: true, Observer: result.Silent{}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found, err := f.Find(t.Context(), 2*time.Minute, func(o noise.Outcome) bool { return !o.Pass })
	if err != nil || found == nil || found.Failed() == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	if none, err := f.Find(t.Context(), 2*time.Minute, func(noise.Outcome) bool { return false }); err != nil || none != nil {
		t.Errorf("a failure that is not wanted: %+v, %v", none, err)
	}
	cases := []struct {
		name, old, new string
		runs, failed   int
	}{
		{"nothing mended", "n + by", "by + n", 1, 1},
		{"mended", "\ta.mu.Unlock()\n\ta.mu.Lock()\n", "\ta.mu.Unlock()\n\ta.mu.Lock()\n\tn = a.n\n", 3, 0},
		{"places gone", "add(by int) {", "add(by int) { a.more(by) }\n\nfunc (a *account) more(by int) {", 0, 0},
	}
	files := func(i int) map[string][]byte {
		return map[string][]byte{name: []byte(strings.Replace(lost, cases[i].old, cases[i].new, 1))}
	}
	force := func() {
		t.Helper()
		for i, c := range cases {
			outcomes, err := f.Force(t.Context(), files(i), []*Found{found}, 3)
			failed := 0
			for _, o := range outcomes {
				if !o.Pass {
					failed++
				}
			}
			if err != nil || failed != c.failed || len(outcomes) < c.failed || c.failed == 0 && len(outcomes) != c.runs {
				t.Errorf("%s: %d of %d runs failed, %v", c.name, failed, len(outcomes), err)
			}
		}
	}
	force()
	alone := f.harness.Builds().Executables
	if err := f.Prepare(t.Context(), []map[string][]byte{files(0), files(1), files(2)}); err != nil {
		t.Error(err)
	}
	force()
	if n := f.together.Builds(); n.Executables != 1 || n.Variants < len(cases) || f.harness.Builds().Executables != alone {
		t.Errorf("built together: %+v, alone: %+v", n, f.harness.Builds())
	}
	mended := strings.Replace(lost, "\ta.mu.Unlock()\n\ta.mu.Lock()\n", "", 1)
	for _, c := range []struct {
		text   string
		failed bool
	}{{mended, false}, {strings.Replace(lost, "n + by", "by + n", 1), true}} {
		s, failed, err := f.Saturate(t.Context(), map[string][]byte{name: []byte(c.text)}, 2*time.Minute)
		if err != nil || s.Predicted == 0 || s.Runs == 0 || (len(failed) > 0) != c.failed || !c.failed && s.Untried > 0 {
			t.Errorf("%+v, %d failed, %v", s, len(failed), err)
		}
	}
	if _, err := f.Force(t.Context(), map[string][]byte{name: []byte("package p\n\nvar x = y\n")}, []*Found{found}, 1); err == nil {
		t.Error("what does not compile is run")
	}
}

// A run that was held for long says nothing where a test may measure time.
func TestPrompt(t *testing.T) {
	for _, c := range []struct {
		kind    evidence.Kind
		elapsed time.Duration
		want    bool
	}{
		{evidence.Race, time.Minute, true},
		{evidence.Deadlock, time.Minute, true},
		{evidence.Timeout, time.Millisecond, false},
		{evidence.TestFailure, 400 * time.Millisecond, true},
		{evidence.TestFailure, 600 * time.Millisecond, false},
	} {
		o := noise.Outcome{Failures: []evidence.Failure{{Kind: c.kind}}, Elapsed: c.elapsed}
		if got := prompt(o, 100*time.Millisecond); got != c.want {
			t.Errorf("%s after %v: %t", c.kind, c.elapsed, got)
		}
	}
}
