package validate

import (
	"context"
	"errors"

	"mendel/fitness"
	"mendel/mutate"
)

// Verify validates a patch as it stands: what somebody else has made is neither
// completed nor reduced. The stages are those of [Validator.Validate]; what rejects
// the patch is a *Rejected error. When ctx ends the fix as far as it is confirmed
// comes with the error, as there.
func (v *Validator) Verify(ctx context.Context, m *mutate.Mutant) (*Fix, error) {
	v.turn.Lock()
	defer v.turn.Unlock()

	j := v.newJob()
	j.mutant, j.goal = m, &completion{mutant: m}
	judged, err := v.judge(m)
	if err != nil {
		return nil, err
	}
	if judged.breach != nil {
		return nil, breaks(m, StagePolicy, judged.breach)
	}
	if v.o.Checker != nil {
		// Most patches that are wrong fail in the first schedules.
		if _, err := j.explore(ctx, m, false); err != nil {
			return nil, err
		}
	}
	fix, err := j.prove(ctx, func() (*Fix, error) { return j.fix(m, fitness.Result{}) })
	var rejected *Rejected
	if fix == nil || errors.As(err, &rejected) {
		return nil, err
	}
	fix.Score = scoreOf(fix.Confirmed)
	fix.Incomplete = v.incomplete(fix)
	return fix, err
}
