package original

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/cover"
)

// A failure that shows only when it is forced counts as one, and is no noised run.
func TestSummariseForced(t *testing.T) {
	race := failedRun(evidence.Race, "race")
	b := &Baseline{
		Noised:         []noise.Outcome{{Pass: true, Tests: 1}, race},
		forcedOriginal: forcedOriginal{Forced: []*cover.Found{{Outcomes: []noise.Outcome{race, failedRun(evidence.TestFailure, "lost")}, File: &cover.File{Text: "1:a => 2:b"}}}},
	}
	b.summarise()
	if len(b.Failures) != 2 || b.Failed != 1 || !b.concurrent() {
		t.Fatalf("%+v", b)
	}
	if f := b.Failures[0]; f.when != nil || f.seen != 1 || f.runs != 2 {
		t.Errorf("shown by noise too: %+v", f)
	}
	if f := b.Failures[1]; f.when == nil || f.runs != 0 {
		t.Errorf("forced: %+v", f)
	}
	if got := b.Results()[1].Forced; got != "1:a => 2:b" {
		t.Errorf("the result has %q", got)
	}
}

// Interleavings are forced where fewer runs than half fail.
func TestRare(t *testing.T) {
	var whatever *WantedFailures
	fails, passes := failedRun(evidence.Race, "race"), noise.Outcome{Pass: true, Tests: 1}
	if !whatever.rare([]noise.Outcome{fails, passes, passes}) || whatever.rare([]noise.Outcome{fails, passes}) {
		t.Error("one failing run of three, or of two")
	}
}
