package signallocked_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/signallocked"
)

// What is known to be used concurrently are wait, which blocked, and nothing of
// open.
const gate = `package p

import (
	"sync"
	"sync/atomic"
)

type gate struct {
	mu      sync.Mutex
	changed *sync.Cond
	opened  atomic.Bool
}

func newGate() *gate {
	g := &gate{}
	g.changed = sync.NewCond(&g.mu)
	return g
}

func (g *gate) open() {
	g.opened.Store(true)
	g.changed.Broadcast()
}

func (g *gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.opened.Load() {
		g.changed.Wait()
	}
}
`

// Who waits for a condition variable leads to who signals it.
func TestSignalOfBlockedWait(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": gate} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, nil, []string{"(*gate).wait"})
	listed := func() bool {
		space, err := mutate.NewSpace(p, n, []*mutate.Operator{signallocked.Operator})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(space.Edits(), func(e mutate.Edit) bool { return e.Func == "(*gate).open" })
	}
	if listed() {
		t.Error("listed without evidence")
	}
	n.Merge(analysis.Given, evidence.Failure{Kind: evidence.Blocked, Stacks: []evidence.Stack{{
		Frames: []evidence.Frame{{Func: "example.com/p.(*gate).wait", File: filepath.Join(dir, "p.go"), Line: 29}},
	}}})
	if !listed() {
		t.Error("the signal is not listed although the wait blocked")
	}
}
