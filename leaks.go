package mendel

import (
	"context"
	"fmt"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/fitness/noise"
)

// leavesBlocked tells whether the checker found goroutines blocked for ever in
// whatever schedule it tried. That may be how the program is, a worker that a
// test leaves behind, or a leak; the checker cannot tell.
func leavesBlocked(report *checker.Report) bool {
	return report != nil && report.Verdict == sched.Failed && !believable(report) &&
		slices.ContainsFunc(report.Failures, func(f checker.Failure) bool { return f.Kind == evidence.Blocked })
}

// askForLeaks runs the tests with the runtime's leak profile, where the
// toolchain has one (Go 1.26): a goroutine that nothing can reach any more is a
// leak, whatever it waits for. If that shows one, the baseline is made of these
// runs, and noised runs have the profile from then on. Otherwise base stays.
func (r *repairer) askForLeaks(ctx context.Context, base *baseline) (*baseline, error) {
	c := r.noiseConfig()
	c.LeakProfile = true
	h, err := noise.New(c)
	if err != nil {
		return nil, err
	}
	outcomes, err := r.leakRuns(ctx, h)
	if ctx.Err() != nil {
		_ = h.Close()
		return nil, context.Cause(ctx)
	}
	leaks := slices.ContainsFunc(outcomes, func(o noise.Outcome) bool { return !o.Pass })
	if err != nil || !leaks {
		if err != nil {
			r.step("no leak profile: %v", err)
		}
		return base, h.Close()
	}
	r.note("goroutines that stay blocked in every schedule are leaks: by the runtime's leak profile, which noised runs have from now on")
	if err := r.exchange(h); err != nil {
		return nil, err
	}
	b := &baseline{noised: outcomes, checked: base.checked, leaks: true}
	b.summarise()
	return b, nil
}

// exchange puts a harness in the place of the present one.
func (r *repairer) exchange(h *noise.Harness) error {
	builds, runs := r.harness.Counts()
	r.before.builds, r.before.runs = r.before.builds+builds, r.before.runs+runs
	old := r.harness
	r.harness = h
	return old.Close()
}

// leakRuns runs the original in a harness with the leak profile.
func (r *repairer) leakRuns(ctx context.Context, h *noise.Harness) ([]noise.Outcome, error) {
	binary, err := h.Build(ctx, noise.Noised, nil)
	if err != nil {
		return nil, fmt.Errorf("build the tests with the leak profile: %w", err)
	}
	defer binary.Close()
	outcomes, err := h.RunMany(ctx, binary, baselineRuns, noise.RunOptions{Seed: r.o.Seed << 20, Timeout: r.firstTimeout()}, nil)
	if err != nil {
		return nil, fmt.Errorf("run the tests with the leak profile: %w", err)
	}
	h.Calibrate(outcomes)
	return outcomes, nil
}
