package repair

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/cover"
	"mendel/internal/gotool"
	"mendel/internal/repair/original"
	"mendel/mutate"
	"mendel/validate"
)

// Interleavings that failed the original when they were forced are forced in mutants, too.

const (
	// scoringRuns is how often a mutant runs under each interleaving that failed the
	// original to be scored. Guessed.
	scoringRuns = 3
	// A candidate runs so often that a failure as frequent as before would pass all runs
	// with less than this probability, but at most mostForced times. Guessed.
	missedForced = 1e-3
	mostForced   = 30
)

// confirmingRuns is how often a candidate runs under each interleaving; certain reports
// whether these are enough to see a failure that is as frequent as before.
func confirmingRuns(forced []*cover.Found) (n int, certain bool) {
	for _, found := range forced {
		for !wouldShow(found, n) && n < mostForced {
			n++
		}
	}
	return n, !slices.ContainsFunc(forced, func(found *cover.Found) bool { return !wouldShow(found, n) })
}

// wouldShow reports whether n runs would hardly all miss a failure.
func wouldShow(found *cover.Found, n int) bool {
	return n > 0 && validate.Unseen(found.Failed(), len(found.Outcomes), n) < math.Log(missedForced)
}

// underForced runs a mutant n times under each of the interleavings that failed the
// original.
func underForced(ctx context.Context, b *original.Baseline, m *mutate.Mutant, n int) ([]noise.Outcome, error) {
	outcomes, err := b.Forcer.Force(ctx, m.Files, b.Forced, n)
	var refused *gotool.BuildError
	if errors.As(err, &refused) && ctx.Err() == nil {
		return nil, nil // that it does not compile is seen without hooks, too
	}
	return outcomes, err
}

// saturateTime is for forcing what is predicted around the changes of a fix. Guessed.
const saturateTime = 20 * time.Second

// saturate forces what is predicted around the changes of a mutant.
func saturate(ctx context.Context, b *original.Baseline, m *mutate.Mutant) (validate.Saturation, []noise.Outcome, error) {
	s, failed, err := b.Forcer.Saturate(ctx, m.Files, saturateTime)
	return validate.Saturation(s), failed, err
}

// A forcedSource scores mutants that fail under an interleaving that failed the
// original. Of others it says nothing.
type forcedSource struct{ base *original.Baseline }

var _ fitness.Source = forcedSource{}

// Score implements [fitness.Source].
func (s forcedSource) Score(ctx context.Context, m *mutate.Mutant) (fitness.Record, bool, error) {
	outcomes, err := underForced(ctx, s.base, m, scoringRuns)
	if err != nil {
		return fitness.Record{}, false, fmt.Errorf("forcing what failed the original: %w", err)
	}
	if len(outcomes) == 0 || outcomes[len(outcomes)-1].Pass {
		return fitness.Record{}, false, nil
	}
	return fitness.Record{Result: fitness.Summarise(outcomes)}, true, nil
}

// Prepare implements [fitness.Source].
func (s forcedSource) Prepare(ctx context.Context, mutants []*mutate.Mutant) error {
	sets := make([]map[string][]byte, len(mutants))
	for i, m := range mutants {
		sets[i] = m.Files
	}
	_ = s.base.Forcer.Prepare(ctx, sets) // each build by itself says what is wrong
	return ctx.Err()
}

// Learn, Decides, Release, EndGeneration and NoiseRefuted have nothing to do.
func (forcedSource) Learn(*mutate.Mutant, fitness.Observations) {}
func (forcedSource) Decides() bool                              { return false }
func (forcedSource) Release()                                   {}
func (forcedSource) EndGeneration()                             {}
func (forcedSource) NoiseRefuted()                              {}
