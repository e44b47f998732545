package validate

import (
	"context"
	"fmt"

	"mendel/fitness/noise"
	"mendel/mutate"
)

// force runs a mutant under the interleavings that failed the original. A run that
// fails is a *Rejected error; the others are counted.
func (v *Validator) force(ctx context.Context, m *mutate.Mutant) (runs int, err error) {
	if v.o.Forced == nil {
		return 0, nil
	}
	outcomes, err := v.o.Forced(ctx, m)
	if err != nil {
		return 0, fmt.Errorf("forcing what failed the original: %w", err)
	}
	return v.passForced(m, outcomes, "an interleaving that failed the original")
}

// A Saturation says how far forcing what is predicted around the changes of a fix got.
// No run failed.
type Saturation struct {
	Predicted int `json:",omitempty"` // interleavings, in runs of the fix; 0: none, or it was not done
	Exposed   int `json:",omitempty"` // of these, by some run
	Tries     int `json:",omitempty"` // the others were tried so often, but for Untried
	Untried   int `json:",omitempty"` // there was no time, or one was tried less often
	Runs      int `json:",omitempty"`
}

// saturate forces what is predicted around the changes of the present mutant.
func (j *job) saturate(ctx context.Context) (Saturation, error) {
	if j.o.Saturate == nil {
		return Saturation{}, nil
	}
	s, outcomes, err := j.o.Saturate(ctx, j.mutant)
	if err != nil {
		return Saturation{}, fmt.Errorf("forcing interleavings of a fix: %w", err)
	}
	_, err = j.passForced(j.mutant, outcomes, "an interleaving predicted around the changes")
	return s, err
}

// passForced rejects a mutant by the first forced run that failed; otherwise it counts them.
func (v *Validator) passForced(m *mutate.Mutant, outcomes []noise.Outcome, under string) (runs int, err error) {
	for i, o := range outcomes {
		if o.Pass {
			continue
		}
		r := &Rejected{Mutant: m, Stage: StageConfirm, Passed: i, Seed: o.Seed}
		what := "it failed and did not say how"
		if len(o.Failures) > 0 {
			r.Failure = &o.Failures[0]
			what = fmt.Sprintf("%s: %s", r.Failure.Kind, r.Failure.Message)
		}
		r.Reason = fmt.Sprintf("under %s, forced: %s", under, what)
		return i, r
	}
	return len(outcomes), nil
}
