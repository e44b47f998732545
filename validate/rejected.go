package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// A judgement is what the comparison of a mutant's source with the original shows.
type judgement struct {
	breach       *rules.Breach // the first of the rules that it breaks; nil: none
	communicates bool          // see rules.Change
	declines     bool
	onlyLocks    bool
	leavesMore   bool
}

// judge compares the source of a mutant with the original. One that does not build breaks no rule.
func (v *Validator) judge(m *mutate.Mutant) (judgement, error) {
	v.rules.Lock()
	defer v.rules.Unlock()
	if j, known := v.judged[m.Hash]; known {
		return j, nil
	}
	c, err := rules.Of(v.o.Program, m)
	if err != nil {
		return judgement{}, err
	}
	var j judgement
	if c != nil {
		j = judgement{c.Breach(), c.Communicates(), c.Declines(), c.OnlyLocks(), c.LeavesMore()}
	}
	v.judged[m.Hash] = j
	return j, nil
}

// breaks is the rejection of a mutant that breaks a rule.
func breaks(m *mutate.Mutant, stage Stage, b *rules.Breach) *Rejected {
	return &Rejected{Mutant: m, Stage: stage, Reason: b.String(), Breach: b}
}

// innocent are the edits of a mutant that break no rule by themselves.
func (j *job) innocent(ctx context.Context, m *mutate.Mutant) ([]mutate.Edit, error) {
	if len(m.Edits) < 2 {
		return nil, nil
	}
	var err error
	rest := slices.DeleteFunc(slices.Clone(m.Edits), func(e mutate.Edit) bool {
		alone, berr := j.build(ctx, []mutate.Edit{e})
		if berr != nil || alone == nil { // it depends on the others
			err = errors.Join(err, berr)
			return false
		}
		one, berr := j.judge(alone)
		err = errors.Join(err, berr)
		return one.breach != nil
	})
	return rest, err
}

// expect adds to a search what the mutant has to deliver.
func (v *Validator) expect(m *mutate.Mutant, s *checker.Search) error {
	if v.o.Original == nil || len(v.o.Original.Delivered) == 0 {
		return nil
	}
	j, err := v.judge(m)
	if err != nil || !j.communicates {
		return err
	}
	s.Expect, s.Decline = v.o.Original.Delivered, j.declines
	return nil
}

// spins returns a breach if goroutines of a mutant go on for ever without
// waiting, and those of the original do not. A mutant that only holds locks
// elsewhere has the loops of the original, and so has one that lets goroutines leave
// them: it is just that the original did not come that far.
func (v *Validator) spins(m *mutate.Mutant, report *checker.Report) *rules.Breach {
	if report.Spun == 0 || v.o.Original == nil || v.o.Original.Spun > 0 || len(m.Edits) == 0 {
		return nil
	}
	if j, err := v.judge(m); err != nil || j.onlyLocks || j.leavesMore {
		return nil // the error is that of the rules, which are asked first
	}
	e := m.Edits[0]
	return &rules.Breach{Rule: rules.Spin, File: e.File, Line: e.Line, What: fmt.Sprintf("in %d schedules a goroutine went on for ever without waiting", report.Spun)}
}
