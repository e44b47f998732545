package validate

import (
	"context"
	"slices"

	"mendel/fitness"
	"mendel/mutate"
)

// WithoutCompanions validates what m, a candidate of score r that became fix, gives
// without the variables that the tests do not exercise, for whoever wants no more
// than the tests show to be needed. It is nil if there are none, or if the rest
// leads to the same fix. It is confirmed and checked like any fix; what is known of
// the original is not asked again.
func (v *Validator) WithoutCompanions(ctx context.Context, fix *Fix, m *mutate.Mutant, r fitness.Result) (*Fix, error) {
	v.turn.Lock()
	defer v.turn.Unlock()
	if len(fix.Quality.Unexercised) == 0 {
		return nil, nil
	}
	j := v.newJob()
	candidate, err := j.admit(ctx, m)
	if err != nil {
		return nil, err
	}
	all, err := v.completions(ctx, candidate)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(c *completion) bool { return len(c.unexercised) == 0 })
	v.o.Log("without what the tests do not exercise: %s", describe(all[at].mutant.Edits...))
	var less *Fix
	if at < len(all)-1 {
		less, err = v.validateOne(ctx, all[at])
	} else {
		j.goal = all[at]
		less, err = j.validate(ctx, m, candidate, r)
	}
	if less == nil || less.Mutant.Hash == fix.Mutant.Hash {
		return nil, err
	}
	less.Incomplete = v.incomplete(less)
	less.Wider, less.Quality.Omitted = fix.Mutant.Hash, fix.Quality.Unexercised
	return less, err
}

// putBehind puts each fix that leaves companions out directly behind the one that
// it is a part of: what the tests do not exercise is left unguarded by it. Only a workaround,
// or what was validated less, does not come before its part.
func putBehind(fixes []*Fix) {
	for i := 0; i < len(fixes); i++ {
		less := fixes[i]
		at := slices.IndexFunc(fixes, func(f *Fix) bool { return f.Mutant.Hash == less.Wider })
		if less.Wider == "" || at <= i || len(fixes[at].Incomplete) > len(less.Incomplete) ||
			len(Workaround(fixes[at].Flags)) > 0 && len(Workaround(less.Flags)) == 0 {
			continue
		}
		copy(fixes[i:at], fixes[i+1:at+1])
		fixes[at] = less
		i--
	}
}
