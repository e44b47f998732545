package repair

import (
	"context"
	"slices"
	"strings"
	"testing"

	"mendel/internal/result"
	"mendel/mutate"
)

// A race in each run, and goroutines of another test and other code that are deadlocked in one of three.
var besideASeldomHang = map[string]string{
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
	"gate.go": `package tally

// A Gate lets one through.
type Gate struct{ open, shut chan struct{} }

// Pass waits at the gate; it may be told to wait for ever.
func (g Gate) Pass() {
	select {
	case <-g.open:
	case <-g.open:
	case <-g.shut:
		select {}
	}
}
`,
	"tally_test.go": `package tally

import (
	"sync"
	"testing"
)

func TestCount(t *testing.T) {
	var c Tally
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(c.Add)
		wg.Go(func() { c.Count() })
	}
	wg.Wait()
}

func TestGate(t *testing.T) {
	g := Gate{make(chan struct{}), make(chan struct{})}
	close(g.open)
	close(g.shut)
	g.Pass()
}
`,
}

// What fails each run is mended, although something else hangs now and then.
func TestMinorCauseIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, besideASeldomHang)
	l := &listener{}
	r, err := Run(context.Background(), result.Wanted{Dir: dir, Observer: l, Timeout: runTimeout, Count: 5, Confirm: 10})
	if err != nil || r.Status != result.Fixed {
		t.Fatalf("%s: %s, %v\n%s", r.Status, r.Reason, err, strings.Join(l.lines, "\n"))
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "--run TestGate repairs it by itself") {
		t.Errorf("no note names the test: %q", r.Notes)
	}
	if flags := r.Fixes[0].Flags; !slices.Equal(flags, []mutate.Flag{mutate.StillFails}) {
		t.Errorf("flags %v", flags)
	}
	if !strings.Contains(r.Fixes[0].Diff, "Lock()") || strings.Contains(r.Fixes[0].Diff, "+++ b/gate.go") {
		t.Errorf("the fix is\n%s", r.Fixes[0].Diff)
	}
}
