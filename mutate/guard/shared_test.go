package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/guard"
	"mendel/mutate/internal/mutatetest"
)

// A literal without keys keeps a mutex out of hole, but not out of sieve: one lock for
// all holes is worth less than a lock for each sieve.
const holes = `package p

type hole struct {
	in    chan int
	count int
}

func newHole() *hole { return &hole{make(chan int), 0} }

func (h *hole) put() { h.count++ }

func (h *hole) size() int { return h.count }

type sieve struct{ count int }

func newSieve() *sieve { return &sieve{count: 0} }

func (s *sieve) put() { s.count++ }

func (s *sieve) size() int { return s.count }
`

func TestSharedLockIsColder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": holes} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"hole.count", "sieve.count"}, []string{"*"})
	at := func(fn string, line int) evidence.Stack {
		return evidence.Stack{Role: "write", Frames: []evidence.Frame{{Func: "example.com/p." + fn, File: filepath.Join(dir, "p.go"), Line: line}}}
	}
	for _, s := range []evidence.Stack{at("(*hole).put", 10), at("(*sieve).put", 18)} {
		n.Merge(analysis.Given, evidence.Failure{Kind: evidence.Race, Signature: s.Frames[0].Func, Stacks: []evidence.Stack{s, s}})
	}
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{guard.Operator, addlock.Operator})
	if err != nil {
		t.Fatal(err)
	}
	heat := map[string]float64{}
	for _, e := range space.Edits() {
		for _, part := range e.Parts {
			heat[part.Lock.New.Kind] = max(heat[part.Lock.New.Kind], e.Worth())
		}
	}
	if heat["package"] == 0 || heat["package"] >= heat["field"] {
		t.Errorf("heat %v: want less for the package's lock", heat)
	}
}
