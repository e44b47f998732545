package validate

import (
	"context"
	"slices"

	"mendel/mutate"
)

// Prospect returns the flags that a fix made of a mutant would have, as far as its
// source tells: those of what it is completed to, incomplete-guard and
// split-section among them. It builds no test binary.
func (v *Validator) Prospect(ctx context.Context, m *mutate.Mutant) ([]mutate.Flag, error) {
	v.turn.Lock()
	defer v.turn.Unlock()
	all, err := v.completions(ctx, m)
	if err != nil {
		return nil, err
	}
	best := all[0]
	judged, err := v.judge(best.mutant)
	if err != nil {
		return nil, err
	}
	flags := slices.Clone(best.mutant.Flags)
	if len(best.open) > 0 {
		flags = append(flags, mutate.IncompleteGuard)
	}
	if len(judged.splits) > 0 {
		flags = append(flags, mutate.SplitSection)
	}
	slices.Sort(flags)
	return slices.Compact(flags), nil
}
