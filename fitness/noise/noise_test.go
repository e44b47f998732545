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
func failures(t *testing.T, h *Harness, b *Binary, run string, n int, kind evidence.Kind, o RunOptions) int {
	t.Helper()
	count, _ := counted(t, h, b, run, n, kind, o, nil)
	return count
}

// failuresUntil counts noised runs that fail in one way, until enough do or there are most, and
// all that were made.
func failuresUntil(t *testing.T, h *Harness, b *Binary, run string, most, enough int, kind evidence.Kind) (count, runs int) {
	t.Helper()
	seen := 0
	return counted(t, h, b, run, most, kind, RunOptions{}, func(o Outcome) bool {
		if o.Kind() == kind {
			seen++
		}
		return seen == enough
	})
}

// counted makes runs of a test, at most n and until stop says so, and counts those that fail
// in one way.
func counted(t *testing.T, h *Harness, b *Binary, run string, n int, kind evidence.Kind, o RunOptions, stop func(Outcome) bool) (count, runs int) {
	t.Helper()
	o.Seed, o.Timeout, o.Run = 1, 20*time.Second, "^"+run+"$"
	outcomes, err := h.RunMany(context.Background(), b, n, o, stop)
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
	return count, len(outcomes)
}

// TestRaceStaysVisible: the race detector sees a race through the noise. To show
// that this would not be so if a hook synchronised, the same is done with one
// that does.
func TestRaceStaysVisible(t *testing.T) {
	h := harness(t, readArchive(t, "rare.txtar"), Config{Narrowing: narrowing("shared", "other")})
	const runs = 4
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

// TestRareBecomesFrequent compares noised runs, as many as it takes to see some failures, with
// as many quiet ones.
func TestRareBecomesFrequent(t *testing.T) {
	h := harness(t, readArchive(t, "rare.txtar"), Config{NoRace: true})
	b := build(t, h, Noised, nil)
	const runs, enough = 64, 4
	for _, tt := range []struct {
		run  string
		kind evidence.Kind
	}{
		{"TestSwap", evidence.Deadlock},
		{"TestAdd", evidence.TestFailure},
	} {
		noised, n := failuresUntil(t, h, b, tt.run, runs, enough, tt.kind)
		quiet := failures(t, h, b, tt.run, n, tt.kind, RunOptions{Quiet: true})
		t.Logf("%s fails in %d of %d noised runs, %d of as many quiet ones", tt.run, noised, n, quiet)
		if noised < enough || noised < 2*quiet {
			t.Errorf("%s: noise makes too little difference", tt.run)
		}
	}
}
