package repair

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/cover"
)

// How often a candidate is forced follows from how often the original failed so.
func TestConfirmingRuns(t *testing.T) {
	found := func(failed, runs int) *cover.Found {
		f := &cover.Found{}
		for i := range runs {
			f.Outcomes = append(f.Outcomes, noise.Outcome{Pass: i >= failed})
		}
		return f
	}
	for _, c := range []struct {
		forced  []*cover.Found
		n       int
		certain bool
	}{
		{[]*cover.Found{found(5, 5)}, 9, true},
		{[]*cover.Found{found(5, 5), found(4, 5)}, 17, true},
		{[]*cover.Found{found(1, 5)}, mostForced, false},
		{[]*cover.Found{found(1, 5), found(5, 5)}, mostForced, false},
	} {
		if n, certain := confirmingRuns(c.forced); n != c.n || certain != c.certain {
			t.Errorf("%d runs, certain %t; want %d, %t", n, certain, c.n, c.certain)
		}
	}
}

// A failure that shows only when it is forced counts as one, and is no noised run.
func TestSummariseForced(t *testing.T) {
	race := failedRun(evidence.Race, "race")
	b := &baseline{
		noised:         []noise.Outcome{{Pass: true, Tests: 1}, race},
		forcedOriginal: forcedOriginal{forced: []*cover.Found{{Outcomes: []noise.Outcome{race, failedRun(evidence.TestFailure, "lost")}, File: &cover.File{Text: "1:a => 2:b"}}}},
	}
	b.summarise()
	if len(b.failures) != 2 || b.failed != 1 || !b.concurrent() {
		t.Fatalf("%+v", b)
	}
	if f := b.failures[0]; f.when != nil || f.seen != 1 || f.runs != 2 {
		t.Errorf("shown by noise too: %+v", f)
	}
	if f := b.failures[1]; f.when == nil || f.runs != 0 {
		t.Errorf("forced: %+v", f)
	}
	if got := b.results()[1].Forced; got != "1:a => 2:b" {
		t.Errorf("the result has %q", got)
	}
}

// Interleavings are forced where fewer runs than half fail.
func TestRare(t *testing.T) {
	var whatever *wantedFailures
	fails, passes := failedRun(evidence.Race, "race"), noise.Outcome{Pass: true, Tests: 1}
	if !whatever.rare([]noise.Outcome{fails, passes, passes}) || whatever.rare([]noise.Outcome{fails, passes}) {
		t.Error("one failing run of three, or of two")
	}
}
