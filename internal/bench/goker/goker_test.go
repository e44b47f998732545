package goker

import (
	"bytes"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/bench/kernel"
	"mendel/internal/bench/programs"
)

// A kernel whose goroutine stays blocked is found to fail although its test passes.
func TestRunKernel(t *testing.T) {
	dir := t.TempDir()
	k := kernel.Kernel{Name: "stuck", Entry: "Stuck", Source: []byte(`package stuck

import "sync"

func Stuck() {
	go func() {
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	}()
}
`)}
	if err := k.WriteModule(dir); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	ok, err := runKernel(t.Context(), k, dir, Options{Seed: 1, Effort: programs.Effort{Runs: 2, NoRace: true}}, &b)
	if err != nil {
		t.Fatal(err)
	}
	if !ok || !strings.HasPrefix(b.String(), "stuck: 2 of 2 noised runs failed (blocked 2)\n") {
		t.Errorf("failed: %t; it printed\n%s", ok, b.String())
	}
}

func TestTally(t *testing.T) {
	failed := func(kind evidence.Kind, message string) noise.Outcome {
		return noise.Outcome{Failures: []evidence.Failure{{Kind: kind, Message: message}}}
	}
	kinds, n, sample := tally([]noise.Outcome{
		{Pass: true}, failed(evidence.Race, "first"), failed(evidence.Blocked, "second"), failed(evidence.Race, "third"),
	})
	if kinds != " (blocked 1, race 2)" || n != 3 || sample != "race: first" {
		t.Errorf("tally: %q, %d, %q", kinds, n, sample)
	}
	if kinds, n, sample := tally([]noise.Outcome{{Pass: true}}); kinds != "" || n != 0 || sample != "" {
		t.Errorf("tally of a passing run: %q, %d, %q", kinds, n, sample)
	}
}
