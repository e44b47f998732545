package repair

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/cover"
	"mendel/internal/gotool"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

const (
	// A failure is rare if it shows in a smaller share of the noised runs. Then
	// interleavings are predicted and forced: it may fail nearly always under one.
	rare = 0.5
	// Predicting and forcing takes so much of the budget at most, and so long.
	predictShare = 8
	predictTime  = time.Minute
	// scoringRuns is how often a mutant runs under each interleaving that failed the
	// original to be scored. Guessed.
	scoringRuns = 3
	// A candidate runs so often that a failure as frequent as before would pass all runs
	// with less than this probability, but at most mostForced times. Guessed.
	missedForced = 1e-3
	mostForced   = 30
)

// A forcedOriginal is what forcing interleavings has shown of the original.
type forcedOriginal struct {
	forcer    *cover.Forcer  // nil: none was wanted, or could be made
	forced    []*cover.Found // interleavings that fail the original
	predicted bool           // they were looked for
}

// force looks for an interleaving that fails the original, if the noised runs so far show
// a failure seldom or not at all, and the checker shows none. Nothing depends on it, so
// what keeps it from its work is a note.
func (env *environment) force(ctx context.Context, n *analysis.Narrowing, b *baseline) error {
	if b.predicted || env.noNoise || env.search.NoForcing || runtime.GOOS == "windows" || b.checkerFailed() || !env.isRare(b.noised) {
		return nil
	}
	b.predicted = true
	env.progress.phase("predict", "forcing interleavings that the tests have not seen")
	err := env.newForcer(n, b)
	if err == nil {
		var found *cover.Found
		if found, err = b.forcer.Find(ctx, min(env.budget/predictShare, predictTime), env.only.shown); found != nil {
			b.forced = append(b.forced, found)
			env.progress.step("forced, the original failed in %d of %d runs: %s", found.Failed(), len(found.Outcomes), found.File.Text)
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		env.progress.step("interleavings were not forced: %v", err)
	}
	return nil
}

// isRare reports whether fewer runs than half show what is to be repaired.
func (env *environment) isRare(noised []noise.Outcome) bool {
	shown := 0
	for _, o := range noised {
		if env.only.shown(o) {
			shown++
		}
	}
	return float64(shown) < rare*float64(len(noised))
}

// newForcer prepares to force.
func (env *environment) newForcer(n *analysis.Narrowing, b *baseline) (err error) {
	b.forcer, err = cover.NewForcer(cover.ForcerOptions{
		Tool: env.tool, Program: env.program, Narrowing: n, Workers: env.workers, NoRace: env.noRace, Seed: env.seed,
		Observer: result.Silent{}, Builds: &env.progress.meter.building,
	})
	return err
}

// outcomes are the runs of the original in which something was forced.
func (f *forcedOriginal) outcomes() (all []noise.Outcome) {
	for _, found := range f.forced {
		all = append(all, found.Outcomes...)
	}
	return all
}

// saved is what is stored; nil if there is nothing.
func (f *forcedOriginal) saved() (json.RawMessage, error) {
	if len(f.forced) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(f.forced)
	if err != nil {
		return nil, fmt.Errorf("keep what was forced: %w", err)
	}
	return data, nil
}

// restoreForced takes over what is stored.
func (env *environment) restoreForced(n *analysis.Narrowing, b *baseline, saved json.RawMessage) error {
	b.predicted = true
	if len(saved) == 0 {
		return nil
	}
	if err := json.Unmarshal(saved, &b.forced); err != nil {
		return fmt.Errorf("read what was forced: %w", err)
	}
	return env.newForcer(n, b)
}

// confirmingRuns is how often a candidate runs under each interleaving; certain reports
// whether these are enough to see a failure that is as frequent as before.
func (f *forcedOriginal) confirmingRuns() (n int, certain bool) {
	for _, found := range f.forced {
		for !wouldShow(found, n) && n < mostForced {
			n++
		}
	}
	return n, !slices.ContainsFunc(f.forced, func(found *cover.Found) bool { return !wouldShow(found, n) })
}

// wouldShow reports whether n runs would hardly all miss a failure.
func wouldShow(found *cover.Found, n int) bool {
	return n > 0 && validate.Unseen(found.Failed(), len(found.Outcomes), n) < math.Log(missedForced)
}

// underForced runs a mutant n times under each of the interleavings that failed the
// original.
func (b *baseline) underForced(ctx context.Context, m *mutate.Mutant, n int) ([]noise.Outcome, error) {
	outcomes, err := b.forcer.Force(ctx, m.Files, b.forced, n)
	var refused *gotool.BuildError
	if errors.As(err, &refused) && ctx.Err() == nil {
		return nil, nil // that it does not compile is seen without hooks, too
	}
	return outcomes, err
}

// saturateTime is for forcing what is predicted around the changes of a fix. Guessed.
const saturateTime = 20 * time.Second

// saturate forces what is predicted around the changes of a mutant.
func (b *baseline) saturate(ctx context.Context, m *mutate.Mutant) (validate.Saturation, []noise.Outcome, error) {
	s, failed, err := b.forcer.Saturate(ctx, m.Files, saturateTime)
	return validate.Saturation(s), failed, err
}

// A forcedSource scores mutants that fail under an interleaving that failed the
// original. Of others it says nothing.
type forcedSource struct{ base *baseline }

var _ fitness.Source = forcedSource{}

// Score implements [fitness.Source].
func (s forcedSource) Score(ctx context.Context, m *mutate.Mutant) (fitness.Record, bool, error) {
	outcomes, err := s.base.underForced(ctx, m, scoringRuns)
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
	_ = s.base.forcer.Prepare(ctx, sets) // each build by itself says what is wrong
	return ctx.Err()
}

// Learn, Decides, Release, EndGeneration and NoiseRefuted have nothing to do.
func (forcedSource) Learn(*mutate.Mutant, fitness.Observations) {}
func (forcedSource) Decides() bool                              { return false }
func (forcedSource) Release()                                   {}
func (forcedSource) EndGeneration()                             {}
func (forcedSource) NoiseRefuted()                              {}
