package validate

import (
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
	Race      bool           // the confirming runs were under the race detector
	Before    fitness.Result // the original program under the same noise
	Cost      Cost           // against the original
	Quality   Quality
	Parallel  Parallel // that Quality.Parallelism comes from
	Changed   Lines
	Guarded   int             // statements under locks, more (or, negative, fewer) than in the original
	NewLocks  []analysis.Lock // that the fix declares, in the order of its edits
	Flags     []mutate.Flag
	Vet       Check
	Tests     TestCheck
	Steps     []Step // how the candidate was reduced, in order
}

// A Confirmation is a series of noised runs of one mutant that all passed.
type Confirmation struct {
	Runs      int
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
	What   string // "without lockstatement at bank.go:31"
	Kept   bool
	Reason string // why it was kept or not
}
