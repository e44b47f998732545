package fitness

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	goMod = "module example.com/counter\n\ngo 1.25\n"

	counter = `package counter

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add() {
	c.n++
}
`
	counterTest = `package counter

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var c counter
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(c.add)
	}
	wg.Wait()
	if c.n != 4 {
		t.Errorf("n is %d", c.n)
	}
}
`
)

// The real thing: the original races, a mutant that locks does not, and one
// that does not compile is refused.
func TestHarness(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": goMod, "counter.go": counter, "counter_test.go": counterTest} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if tool.RaceErr != nil {
		t.Skip(tool.RaceErr)
	}
	program, err := analysistest.Load(ctx, tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	narrowing, err := analysis.Narrow(ctx, program)
	if err != nil {
		t.Fatal(err)
	}
	harness, err := noise.New(noise.Config{Tool: tool, Program: program, Narrowing: narrowing})
	if err != nil {
		t.Fatal(err)
	}
	defer harness.Close()

	e := NewEvaluator(Options{Harness: harness, Runs: 6})
	evaluate := func(hash, old, new string) Result {
		t.Helper()
		m := &mutate.Mutant{Hash: hash}
		if old != "" {
			file := program.File("counter.go")
			m.Files = map[string][]byte{file.Name: bytes.Replace(file.Source, []byte(old), []byte(new), 1)}
		}
		r, err := e.Evaluate(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := evaluate("original", "", ""); r.Score == FullScore || r.Failures[evidence.Race] == 0 || len(r.Samples) == 0 {
		t.Errorf("original: %+v", r)
	}
	if r := evaluate("locked", "c.n++", "c.mu.Lock(); defer c.mu.Unlock(); c.n++"); r.Score != FullScore || r.Runs != 6 || r.Elapsed <= 0 {
		t.Errorf("with a lock: %+v", r)
	}
	if r := evaluate("broken", "c.n++", "c.m++"); r.Score != 0 || r.Runs != 0 || !strings.Contains(r.Refused, "counter.go:11") {
		t.Errorf("that does not compile: %+v", r)
	}
	if r := evaluate("locked", "", ""); !r.Cached {
		t.Errorf("a second time: %+v", r)
	}
}
