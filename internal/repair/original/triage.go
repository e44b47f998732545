package original

import (
	"slices"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
)

// A Triage is what a quick look at a package shows: how easy it seems to repair.
type Triage struct {
	Failed      int     `json:"failed"`      // noised runs
	Runs        int     `json:"runs"`        // of so many
	Checked     bool    `json:"checked"`     // the checker has seen a failure
	Blocked     bool    `json:"blocked"`     // nothing was seen but goroutines that are left blocked when the tests have passed
	Edits       int     `json:"edits"`       // places and ways to edit; 0 without a failure
	TestSeconds float64 `json:"testSeconds"` // mean of a noised run
	Seconds     float64 `json:"seconds"`     // that the triage took; 0: there was none
}

// Brief reports whether a longer look at the tests may show a failure that is rarer.
func (t Triage) Brief() bool { return t.Failed == 0 && !t.Checked && t.Runs < rareRuns }

// Triage sums up the baseline, and tells the messages of the failures. A failure that needs a time-out to expire early
// is none yet: it waits until those that need none are mended.
func (b *Baseline) Triage() (t Triage, failures []string) {
	if len(b.Noised) == 0 {
		return t, nil
	}
	t.Runs, t.TestSeconds = len(b.Noised), meanSeconds(b.Noised)
	if b.doubting {
		return t, nil
	}
	for _, f := range b.Failures {
		failures = append(failures, f.Message)
	}
	t.Failed = b.Failed
	t.Checked = slices.ContainsFunc(b.Failures, func(f Failure) bool { return f.Found != nil })
	t.Blocked = len(b.Failures) > 0 && !slices.ContainsFunc(b.Failures, func(f Failure) bool { return f.Kind != evidence.Blocked })
	return t, failures
}

// meanSeconds is how long a run takes.
func meanSeconds(runs []noise.Outcome) float64 {
	var sum time.Duration
	for _, o := range runs {
		sum += o.Elapsed
	}
	return (sum / time.Duration(len(runs))).Seconds()
}
