package validate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/fitness"
	"mendel/mutate"
)

// A Fix is a mutant that passed validation, with the evidence.
type Fix struct {
	Mutant    *mutate.Mutant `json:"-"` // see Record
	Score     fitness.Result // as the search scored the candidate; of the confirming runs if it was reduced since
	Confirmed Confirmation   // of exactly this mutant
	Checked   Checked        // likewise
	Forced    Saturation     // likewise
	Race      bool           // the confirming runs were under the race detector
	Before    fitness.Result // the original program under the same noise
	Cost      Cost           // against the original
	Quality   Quality
	Parallel  Parallel // that Quality.Parallelism comes from
	Changed   Lines
	Guarded   int             // statements under locks, more (or, negative, fewer) than in the original
	NewLocks  []analysis.Lock // that the fix declares, in the order of its edits
	Flags     []mutate.Flag
	// Wider is the hash of the fix that this one is a part of, without the variables
	// in Quality.Omitted; "": it leaves nothing out.
	Wider string `json:",omitempty"`
	Vet   Check
	Tests TestCheck
	Steps []Step // how the candidate was reduced, in order
	// Incomplete says what is missing of the validation, because it was stopped
	// before its end; empty: nothing.
	Incomplete []string `json:",omitempty"`
}

// flag adds a flag, once.
func (f *Fix) flag(name mutate.Flag) {
	if !slices.Contains(f.Flags, name) {
		f.Flags = append(f.Flags, name)
		slices.Sort(f.Flags)
	}
}

// stoppedBefore is why a check was skipped that the validation did not come to.
const stoppedBefore = "the validation was stopped before"

// mostUnseen is the largest probability with which confirming runs may miss a failure
// as frequent as the original's, where nothing but they speaks for a fix. The frequency
// is a lower bound with 95 % confidence already. Chosen.
const mostUnseen = 0.05

// incomplete says what is missing of a fix's validation.
func (v *Validator) incomplete(f *Fix) []string {
	words := f.missing(v.o.Checker != nil)
	failed := f.Before.Runs - f.Before.Passes
	if v.o.Checker != nil || v.o.Runs > 0 || failed == 0 || len(words) > 0 || v.o.ForcedCertain && f.Confirmed.Forced > 0 {
		return words // the checker, what was forced, or the user says how much is enough
	}
	if chance := math.Exp(Unseen(failed, f.Before.Runs, f.Confirmed.Runs)); chance > mostUnseen {
		words = append(words, fmt.Sprintf("%d runs miss a failure as rare as the original's with a probability of %.0f %%, and the model checker takes no part", f.Confirmed.Runs, 100*chance))
	}
	return words
}

// missing says which parts of its validation a fix has not passed. What it costs
// is none of them.
func (f *Fix) missing(checker bool) []string {
	var words []string
	if c := f.Confirmed; c.Wanted > 0 {
		words = append(words, fmt.Sprintf("confirmed by %d of %d runs", c.Runs, c.Wanted))
	}
	if len(f.Confirmed.Delayed) > 0 && !f.Checked.passed() {
		tests := slices.Sorted(maps.Keys(f.Confirmed.Delayed))
		words = append(words, fmt.Sprintf("%s failed under noise, and the model checker has not passed the fix", strings.Join(tests, ", ")))
	}
	if len(f.Confirmed.Delayed) > 0 && f.Tests.Verdict == Skipped && f.Tests.Detail != stoppedBefore {
		words = append(words, "tests that failed under noise were not run by themselves")
	}
	if checker && f.Checked.Verdict == "" {
		words = append(words, "the model checker's last search did not end")
	}
	if f.Vet.Detail == stoppedBefore {
		words = append(words, "go vet was not run")
	}
	if f.Tests.Detail == stoppedBefore {
		words = append(words, "the package's other tests were not run")
	}
	if f.Quality.Scenarios.Detail == stoppedBefore {
		words = append(words, "calls that the tests do not make side by side were not tried")
	}
	return words
}

// A Confirmation is a series of noised runs of one mutant that all passed, but for
// tests that depend on time.
type Confirmation struct {
	Runs   int
	Wanted int `json:",omitempty"` // runs that were to be made when it was stopped before; 0: it was not
	Again  int `json:",omitempty"` // runs that reached their time limit, and passed alone with a larger one
	Alone  int `json:",omitempty"` // runs of the tests alone that failed in the original; the others made all
	Forced int `json:",omitempty"` // runs before, under interleavings that failed the original; they count nowhere else
	// Delayed has the tests that depend on time and failed, with the number of runs:
	// noise delays goroutines by more than such a test allows, with any fix.
	Delayed map[string]int `json:",omitempty"`
	// Still is what tests failed by for reasons of their own, as they do without the fix.
	Still     []string      `json:",omitempty"`
	FirstSeed uint64        // the runs' seeds are FirstSeed, FirstSeed+1, ...
	Elapsed   time.Duration // mean
	Switches  float64       // voluntary context switches, mean
}

// Cost compares two programs by interleaved runs without noise and without the
// race detector. Ratios are after / before; 1 is the same.
type Cost struct {
	Pairs    int     // pairs of passing runs compared; 0: not measured
	Time     float64 // running time, median of the pairs
	Switches float64 // voluntary context switches, median of the pairs
	// Of the medians of Time and Switches.
	TimeInterval     Interval `json:",omitzero"`
	SwitchesInterval Interval `json:",omitzero"`
	Detail           string   `json:",omitempty"` // why it was not measured, if it could have been
}

// A Verdict of one check.
type Verdict string

// Verdicts.
const (
	Passed  Verdict = "passed"
	Skipped Verdict = "skipped"
)

// A Check is the verdict of one check of a fix; a fix never failed one.
type Check struct {
	Verdict Verdict
	Detail  string // why it was skipped, or what was left out
}

// A TestCheck is the verdict of the package's tests without noise.
type TestCheck struct {
	Check
	Plain, Race int      // runs without and with the race detector
	Tests       int      // top-level tests that had to pass
	Ignored     []string // tests that fail, or do not end, on the original too; sorted
}

// A Step is one reduction that was tried.
type Step struct {
	What   string // "without addlock at bank.go:31"
	Kept   bool
	Reason string // why it was kept or not
}
