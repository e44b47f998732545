package repair

import (
	"context"
	"strings"
	"testing"

	"mendel/internal/result"
)

// A race, and a test that fails in each schedule of the checker, which runs tests from a goroutine of its own, and in no
// run.
var besideAnArtefact = map[string]string{
	"go.mod": "module example.com/tally\n\ngo 1.25\n",
	"tally.go": `package tally

import "sync"

// A Tally counts.
type Tally struct {
	mu sync.Mutex
	n  int
}

// Add counts one more.
func (t *Tally) Add() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
}

// Count is how often Add was called.
func (t *Tally) Count() int { return t.n }
`,
	"tally_test.go": `package tally

import (
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

func TestCount(t *testing.T) {
	var c Tally
	var wg sync.WaitGroup
	wg.Go(c.Add)
	wg.Go(func() { c.Count() })
	wg.Wait()
}

func TestCaller(t *testing.T) {
	if !strings.Contains(string(debug.Stack()), "testing.tRunner") {
		t.Error("nobody knows who runs this")
	}
}
`,
}

func TestFailuresWithAnotherCauseAreKeptApart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, besideAnArtefact)
	l := &listener{}
	r, err := Run(context.Background(), result.Wanted{Dir: dir, Observer: l, Timeout: runTimeout, Count: 5, Confirm: 10})
	if err != nil || r.Status != result.Fixed {
		t.Fatalf("%s: %s, %v\n%s", r.Status, r.Reason, err, strings.Join(l.lines, "\n"))
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "kept apart: TestCaller") {
		t.Errorf("no note names the test: %q", r.Notes)
	}
	if flags := r.Fixes[0].Flags; len(flags) != 0 {
		t.Errorf("flags %v: what is seen in each schedule is no news", flags)
	}
	for _, f := range r.Failures {
		if f.Test == "TestCaller" {
			t.Errorf("it counts as a failure: %s", f.Message)
		}
	}
}
