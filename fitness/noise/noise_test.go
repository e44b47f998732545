package noise

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"time"

	"mendel/analysis/evidence"
)

// failures counts the runs of a test that fail in one way.
func failures(t *testing.T, h *Harness, b *Binary, run string, n int, kind evidence.Kind, o RunOptions) (count int) {
	t.Helper()
	o.Seed, o.Timeout = 1, 20*time.Second
	outcomes, err := h.runMany(context.Background(), b, "^"+run+"$", n, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, outcome := range outcomes {
		switch outcome.Kind() {
		case kind:
			count++
		case "":
		default:
			t.Errorf("%s, seed %d: %v", run, outcome.Seed, outcome.Failures[0].Message)
		}
	}
	return count
}

// TestRaceStaysVisible: the race detector sees a race through the noise. To show
// that this would not be so if a hook synchronised, the same is done with one
// that does.
func TestRaceStaysVisible(t *testing.T) {
	h := harness(t, readArchive(t, "rare.txtar"), Config{Narrowing: narrowing("shared", "other")})
	const runs = 8
	b := build(t, h, Noised, nil)
	if n := failures(t, h, b, "TestDistant", runs, evidence.Race, RunOptions{}); n != runs {
		t.Errorf("seen in %d of %d noised runs", n, runs)
	}
	if n := failures(t, h, b, "TestDistant", 2, evidence.Race, RunOptions{Quiet: true}); n != 2 {
		t.Errorf("seen in %d of 2 quiet runs", n)
	}

	name := filepath.Join(h.c.Tool.GOROOT, "src", "mendelrt", "noise", "hook.go")
	h.source.hooks[name] = bytes.Replace(h.source.hooks[name],
		[]byte("\tpassed++\n"), []byte("\tedge.Lock()\n\tpassed++\n\tedge.Unlock()\n"), 1)
	extra := filepath.Join(filepath.Dir(name), "edge.go")
	h.source.hooks[extra] = []byte("package hook\n\nimport \"sync\"\n\nvar edge sync.Mutex\n")
	if b, err := h.buildNew(t.Context(), Noised, nil); err != nil { // the kept original has the other hooks
		t.Fatal(err)
	} else if n := failures(t, h, b, "TestDistant", 2, evidence.Race, RunOptions{}); n != 0 {
		t.Errorf("seen in %d of 2 runs although hooks synchronise: the test does not show what it should", n)
	}
}

// TestRareBecomesFrequent compares noised runs with quiet ones.
func TestRareBecomesFrequent(t *testing.T) {
	h := harness(t, readArchive(t, "rare.txtar"), Config{NoRace: true})
	b := build(t, h, Noised, nil)
	const runs = 64
	for _, tt := range []struct {
		run  string
		kind evidence.Kind
	}{
		{"TestSwap", evidence.Deadlock},
		{"TestAdd", evidence.TestFailure},
	} {
		quiet := failures(t, h, b, tt.run, runs, tt.kind, RunOptions{Quiet: true})
		noised := failures(t, h, b, tt.run, runs, tt.kind, RunOptions{})
		t.Logf("%s fails in %d of %d noised runs, %d of %d quiet ones", tt.run, noised, runs, quiet, runs)
		if noised < runs/16 || noised < 2*quiet {
			t.Errorf("%s: noise makes too little difference", tt.run)
		}
	}
}
