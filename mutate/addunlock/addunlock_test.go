package addunlock

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// Where a goroutine waits for a lock, a release that is missing elsewhere, in a
// function that no stack names, is as near to the evidence as can be; one that
// may be missing on purpose is not.
func TestHeat(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "in.go": waited} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, nil, nil)
	n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Blocked, Stacks: []evidence.Stack{{
		Role:   "blocked: sync.Mutex.Lock",
		Frames: []evidence.Frame{{Func: "example.com/p.wait", File: filepath.Join(dir, "in.go"), Line: 8}},
	}}})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{Operator})
	if err != nil {
		t.Fatal(err)
	}
	heat := make(map[string]float64)
	for _, e := range space.Edits() {
		if e.Form == formPath {
			heat[e.Func] = e.Worth()
		}
	}
	if heat["leave"] != 1 {
		t.Errorf("heat %v where the lock stays locked, want 1", heat["leave"])
	}
	if h, ok := heat["open"]; !ok || h > 0.5 {
		t.Errorf("heat %v (offered: %v) where another function releases, want at most 0.5", h, ok)
	}
}

const waited = `package p

import "sync"

var mu, gate sync.Mutex

func wait() {
	mu.Lock()
	gate.Lock()
	gate.Unlock()
	mu.Unlock()
}

func leave(n int) {
	mu.Lock()
	if n == 0 {
		return
	}
	mu.Unlock()
}

func open(n int) bool {
	gate.Lock()
	if n == 0 {
		return true
	}
	gate.Unlock()
	return false
}

func shut() { gate.Unlock() }
`
