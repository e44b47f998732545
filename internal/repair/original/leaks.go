package original

import (
	"context"
	"fmt"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
)

// leavesBlocked reports whether the checker found goroutines blocked for ever in
// whatever schedule it tried. That may be how the program is, a worker that a
// test leaves behind, or a leak; the checker cannot tell.
func leavesBlocked(report *checker.Report) bool {
	return report != nil && report.Verdict == explore.Failed && !believable(report) &&
		slices.ContainsFunc(report.Failures, func(f checker.Failure) bool { return f.Kind == evidence.Blocked })
}

// askForLeaks runs the tests with the runtime's leak profile, where the
// toolchain has one (since Go 1.26): a goroutine that nothing can reach any more is a
// leak, whatever it waits for. If that shows one, the baseline is made of these
// runs, and noised runs have the profile from then on. Otherwise it stays.
func (r *reproduction) askForLeaks(ctx context.Context) error {
	c := r.setup.NoiseConfig(r.narrowing)
	c.LeakProfile = true
	h, err := noise.New(c)
	if err != nil {
		return err
	}
	outcomes, err := r.leakRuns(ctx, h)
	if ctx.Err() != nil {
		_ = h.Close()
		return context.Cause(ctx)
	}
	leaks := slices.ContainsFunc(outcomes, func(o noise.Outcome) bool { return !o.Pass })
	if err != nil || !leaks {
		if err != nil {
			r.setup.Progress.Step("no leak profile: %v", err)
		}
		return h.Close()
	}
	r.setup.Progress.Note("goroutines that stay blocked in every schedule are leaks: by the runtime's leak profile, which noised runs have from now on")
	if err := r.exchange(h); err != nil {
		return err
	}
	r.Noised, r.plain, r.Leaks = outcomes, nil, true
	r.Failures, r.Failed, r.Kind = nil, 0, ""
	r.summarise()
	return nil
}

// exchange puts a harness in the place of the present one.
func (b *Baseline) exchange(h *noise.Harness) error {
	b.setup.Progress.Meter.Use(h)
	old := b.Harness
	b.Harness = h
	return old.Close()
}

// leakRuns runs the original in a harness with the leak profile.
func (r *reproduction) leakRuns(ctx context.Context, h *noise.Harness) ([]noise.Outcome, error) {
	binary, err := h.Build(ctx, noise.Noised, nil)
	if err != nil {
		return nil, fmt.Errorf("build the tests with the leak profile: %w", err)
	}
	defer binary.Close()
	outcomes, err := h.RunMany(ctx, binary, baselineRuns, noise.RunOptions{Seed: r.setup.Seed << 20, Timeout: r.setup.FirstTimeout()}, nil)
	if err != nil {
		return nil, fmt.Errorf("run the tests with the leak profile: %w", err)
	}
	h.Calibrate(outcomes)
	return outcomes, nil
}
