package validate

import (
	"context"
	"fmt"

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
		r.Reason = fmt.Sprintf("under an interleaving that failed the original, forced: %s", what)
		return i, r
	}
	return len(outcomes), nil
}
