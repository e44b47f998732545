package validate

import (
	"context"
	"errors"

	"mendel/analysis"
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

// In is a validator of mutants of another space of the same program, with another narrowing, which tries
// the scenarios of a patch on all of them. It shares what v knows of the original.
func (v *Validator) In(s Space, n *analysis.Narrowing, scenariosOf map[string][]byte) *Validator {
	o := v.o
	o.Space, o.Narrowing, o.ScenariosOf = s, n, scenariosOf
	other := New(o)
	v.turn.Lock()
	defer v.turn.Unlock()
	other.rehearsal, other.vetted, other.baselines, other.slow = v.rehearsal, v.vetted, v.baselines, v.slow
	other.series = v.series
	return other
}

// Whole validates a mutant all of whose edits are to stay, whatever the tests need of them: a fix,
// and what is like it at places that only scenarios come to.
func (v *Validator) Whole(ctx context.Context, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	v.turn.Lock()
	defer v.turn.Unlock()
	v.watch.start()
	_, demands, err := v.demandsOf(m.Edits)
	if err != nil {
		return nil, err
	}
	fix, err := v.validateOne(ctx, &completion{mutant: m, demands: demands, whole: true})
	if fix != nil {
		fix.Score, fix.Incomplete = r, v.incomplete(fix)
	}
	return fix, err
}
