package original

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	"mendel/fitness/noise"
	"mendel/internal/cover"
	"mendel/internal/result"
)

const (
	// A failure is rare if it shows in a smaller share of the noised runs. Then
	// interleavings are predicted and forced: it may fail nearly always under one.
	rare = 0.5
	// Predicting and forcing takes so much of the budget at most, and so long.
	predictShare = 8
	predictTime  = time.Minute
)

// A forcedOriginal is what forcing interleavings has shown of the original.
type forcedOriginal struct {
	Forcer    *cover.Forcer  // nil: none was wanted, or could be made
	Forced    []*cover.Found // interleavings that fail the original
	predicted bool           // they were looked for
}

// force looks for an interleaving that fails the original, if the noised runs so far show
// a failure seldom or not at all, and the checker shows none. Nothing depends on it, so
// what keeps it from its work is a note.
func (r *reproduction) force(ctx context.Context) error {
	s := r.setup
	if r.predicted || s.NoNoise || s.Search.NoForcing || runtime.GOOS == "windows" || r.CheckerFailed() || !r.only.rare(r.Noised) {
		return nil
	}
	r.predicted = true
	s.Progress.Phase("predict", "forcing interleavings that the tests have not seen")
	err := r.newForcer()
	if err == nil {
		var found *cover.Found
		if found, err = r.Forcer.Find(ctx, min(s.Budget/predictShare, predictTime), r.only.shown); found != nil {
			r.Forced = append(r.Forced, found)
			s.Progress.Step("forced, the original failed in %d of %d runs: %s", found.Failed(), len(found.Outcomes), found.File.Text)
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		s.Progress.Step("interleavings were not forced: %v", err)
	}
	return nil
}

// newForcer prepares to force.
func (b *Baseline) newForcer() (err error) {
	s := b.setup
	b.Forcer, err = cover.NewForcer(cover.ForcerOptions{
		Tool: s.Tool, Program: s.Program, Narrowing: b.narrowing, Workers: s.Workers, NoRace: s.NoRace, Seed: s.Seed,
		Observer: result.Silent{}, Builds: &s.Progress.Meter.Building,
	})
	return err
}

// ForcedOutcomes are the runs of the original in which something was forced.
func (f *forcedOriginal) ForcedOutcomes() (all []noise.Outcome) {
	for _, found := range f.Forced {
		all = append(all, found.Outcomes...)
	}
	return all
}

// saved is what is stored; nil if there is nothing.
func (f *forcedOriginal) saved() (json.RawMessage, error) {
	if len(f.Forced) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(f.Forced)
	if err != nil {
		return nil, fmt.Errorf("keep what was forced: %w", err)
	}
	return data, nil
}

// restoreForced takes over what is stored.
func (b *Baseline) restoreForced(saved json.RawMessage) error {
	b.predicted = true
	if len(saved) == 0 {
		return nil
	}
	if err := json.Unmarshal(saved, &b.Forced); err != nil {
		return fmt.Errorf("read what was forced: %w", err)
	}
	return b.newForcer()
}
