package validate

import (
	"context"
	"errors"
	"slices"

	"mendel/mutate"
	"mendel/validate/rules"
)

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
