package validate

import (
	"fmt"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/mutate"
	"mendel/validate/rules"
)

// A Stage of validation, which can reject a candidate.
type Stage string

// The stages, in their order.
const (
	StagePolicy  Stage = "policy"  // the flags of the mutant and the rules
	StageCheck   Stage = "check"   // the model checker
	StageConfirm Stage = "confirm" // noised runs
	StageVet     Stage = "vet"     // go vet
	StageTests   Stage = "tests"   // the package's tests without noise
)

// Rejected is why a candidate is no fix. It is an ordinary outcome, told from
// a broken environment by errors.As.
type Rejected struct {
	Mutant  *mutate.Mutant `json:"-"` // see Record
	Stage   Stage
	Reason  string            // one line
	Failure *evidence.Failure // what a run showed; nil when none did
	Seed    uint64            // of that run's noise, at StageConfirm
	Passed  int               // runs that passed before it
	// Schedule is the one that it fails, at StageCheck.
	Schedule *checker.Schedule
	Breach   *rules.Breach // the rule that it breaks, at StagePolicy or StageCheck; nil: none
}

// Error says which stage rejected the candidate and why.
func (r *Rejected) Error() string {
	return fmt.Sprintf("rejected by %s: %s", r.Stage, r.Reason)
}
