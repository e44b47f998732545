package original

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/repair/setup"
)

const (
	// baselineRuns is how often the original runs to learn how it fails and
	// how long it takes: CORE's 20 (Kelk 2015, set-up).
	baselineRuns = 20
	// certainRuns is the floor: a test of at least slowRun is run so often only, if
	// all of these fail. What else it may show then is left to the search. Guessed.
	certainRuns = 5
	slowRun     = 500 * time.Millisecond
	// rareRuns is how often at most it runs until a rare failure shows. With
	// it a failure of one run in 65 is missed once in a hundred times.
	rareRuns = 300
	// checkedRuns are enough when the checker has found a failure: they tell how
	// frequent it is under noise. When none of them fails, so many more are made.
	checkedRuns = 10
	// plainRuns is how often it runs sequentially, without noise.
	plainRuns = 3
	// plainWait is how long noised runs wait for the plain ones. A test that
	// always deadlocks hangs in these until their limit, and fails at once in those.
	plainWait = 2 * time.Second
	// hangsSuffice is how many runs that hang are waited for in a baseline.
	hangsSuffice = 3
)

// A reproduction finds out how the original fails, with noise and without.
type reproduction struct {
	*Baseline                // what was found out until now
	quiet     *plainBaseline // without noise
	binary    *noise.Binary  // with noise
}

// run runs the original plainly and with noise until it is known how it fails.
func (r *reproduction) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	r.startPlain(ctx)
	checked := make(chan checkedOriginal, 1)
	go func() {
		defer close(checked)
		checked <- checkOriginal(ctx, r.setup, r.only, false)
	}()
	defer func() {
		cancel()
		if original, first := <-checked; first {
			r.checkedOriginal = original // its explorer has to be closed
		}
		<-r.quiet.done
	}()
	var err error
	if r.binary, err = r.Harness.Build(ctx, noise.Noised, nil); err != nil {
		return fmt.Errorf("build the tests: %w", err)
	}
	defer r.binary.Close()
	select {
	case <-r.quiet.done:
		if err := r.tested(); err != nil {
			return err
		}
		r.Harness.Calibrate(r.quiet.outcomes) // stands if every noised run hangs
		r.plain = r.quiet.outcomes
	case <-time.After(plainWait):
	}
	if err := r.runNoised(ctx, checked); err != nil {
		return err
	}
	if err := r.force(ctx); err != nil {
		return err
	}
	r.doubtTimeouts(ctx)
	r.setAside(ctx)
	if why := r.otherTrouble(); why != "" {
		r.disable(r.setup.Progress, why)
	}
	r.summarise()
	if err := r.keepApart(ctx); err != nil {
		return err
	}
	if r.Failed == 0 || !r.concurrent() {
		<-r.quiet.done
		if err := r.tested(); err != nil {
			return err
		}
	}
	if r.only.missed(r.Noised) && leavesBlocked(r.Checked) {
		if err = r.askForLeaks(ctx); err != nil {
			return err
		}
	}
	if err := r.keepWanted(); err != nil {
		return err
	}
	return r.judge(ctx)
}

// judge reports by a *NotReproduced that there is nothing to repair.
func (r *reproduction) judge(ctx context.Context) error {
	if r.Failed == 0 && len(r.Forced) == 0 && !believable(r.Checked) && !confirmed(r.Checked, r.quiet.outcomes) {
		return nothingSeen(r.quiet.outcomes, len(r.Noised), r.Checked)
	}
	if r.Failed == 0 && len(r.Forced) > 0 {
		r.setup.Progress.Note("none of %d noised runs failed: the failure shows when an interleaving is forced", len(r.Noised))
	} else if r.Failed == 0 {
		r.setup.Progress.Note("none of %d noised runs failed: the checker alone has seen the failure and decides", len(r.Noised))
	}
	if r.concurrent() {
		return nil
	}
	why := r.sequentialFailure(r.quiet.outcomes)
	if why == "" {
		return nil
	}
	others, err := r.inPast(ctx)
	if err != nil || others {
		return err
	}
	return &NotReproduced{why}
}

// A plainBaseline is how the original behaves on one processor without noise;
// to be read when done is closed.
type plainBaseline struct {
	done     chan struct{}
	outcomes []noise.Outcome
	err      error
}

// startPlain begins the plain runs.
func (r *reproduction) startPlain(ctx context.Context) {
	p := &plainBaseline{done: make(chan struct{})}
	r.quiet = p
	harness := r.Harness // another may take its place meanwhile
	go func() {
		defer close(p.done)
		p.outcomes, p.err = runPlainly(ctx, r.setup, harness)
	}()
}

// tested returns why plain runs that are done are of no use; nil if they are.
func (r *reproduction) tested() error {
	if r.quiet.err != nil {
		return r.quiet.err
	}
	if tests := slices.MaxFunc(r.quiet.outcomes, func(a, b noise.Outcome) int { return a.Tests - b.Tests }); tests.Tests == 0 && (tests.Pass || len(tests.Failures) == 0) {
		return &analysis.NoTests{Pattern: r.setup.Run, Package: r.setup.Target.Package}
	}
	return nil
}

// runPlainly runs the tests as they are on one processor, without noise.
func runPlainly(ctx context.Context, s *setup.Setup, h *noise.Harness) ([]noise.Outcome, error) {
	binary, err := h.Build(ctx, noise.Plain, nil)
	if err != nil {
		return nil, fmt.Errorf("build the tests: %w", err)
	}
	defer binary.Close()
	outcomes, err := h.RunMany(ctx, binary, plainRuns, noise.RunOptions{
		Seed: s.Seed, Quiet: true, Procs: 1, Timeout: s.FirstTimeout(),
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("run the tests without noise: %w", err)
	}
	return outcomes, nil
}

// runNoised runs the original with noise: baselineRuns times, then on
// until a failure shows, rareRuns are done or a quarter of the budget is spent.
// With a checker there are fewer, once it has found a failure; the baseline takes what it
// has found. A slow test that always fails is run certainRuns times. After
// baselineRuns that show nothing interleavings are forced; if one fails, that is
// enough.
func (r *reproduction) runNoised(ctx context.Context, checked <-chan checkedOriginal) error {
	s := r.setup
	hangs := 0
	var first []noise.Outcome
	enough := func(o noise.Outcome) bool {
		if slow := o.Elapsed > s.FirstTimeout()/2; slow && !o.Pass {
			hangs++
		}
		if len(first) < certainRuns {
			first = append(first, o)
		}
		return hangs >= hangsSuffice || r.only.certain(first)
	}
	began := time.Now()
	seed := s.Seed << 20 // scoring and validation derive theirs from hashes
	batch := baselineRuns
	if !s.NoChecker {
		batch = checkedRuns
	}
	for len(r.Noised) < rareRuns {
		outcomes, err := r.Harness.RunMany(ctx, r.binary, batch, noise.RunOptions{
			Seed: seed + uint64(len(r.Noised)), Timeout: s.FirstTimeout(),
		}, enough)
		r.Noised = append(r.Noised, outcomes...)
		if err != nil {
			return fmt.Errorf("run the tests with noise: %w", err)
		}
		if original, first := <-checked; first {
			r.checkedOriginal = original
		}
		if r.settled() || hangs >= hangsSuffice || r.only.certain(first) {
			break
		}
		if spent := time.Since(began); spent > s.Budget/4 {
			break
		}
		if len(r.Noised) < baselineRuns {
			continue
		}
		if err := r.force(ctx); err != nil {
			return err
		}
		if len(r.Forced) > 0 {
			break
		}
	}
	r.Harness.Calibrate(r.Noised)
	return nil
}

// settled reports whether the runs so far tell how the original fails: fewer do when
// the checker has found what they show, or what they need not show.
func (r *reproduction) settled() bool {
	failed := slices.ContainsFunc(r.Noised, r.only.shown)
	if r.only.found(r.Checked) && believable(r.Checked) || failed && confirmed(r.Checked, r.Noised) {
		return failed || len(r.Noised) >= baselineRuns
	}
	return (failed || r.only.found(r.Checked) && leavesBlocked(r.Checked)) && len(r.Noised) >= baselineRuns
}

// nothingSeen says why there is nothing to repair when every noised run passed
// and what the checker reports is not believable.
func nothingSeen(plain []noise.Outcome, runs int, checked *checker.Report) error {
	for _, o := range plain {
		if !o.Pass && len(o.Failures) > 0 {
			return &NotReproduced{fmt.Sprintf("a run on one processor without noise failed (%s), but none of %d noised runs did", o.Failures[0].Message, runs)}
		}
	}
	why := fmt.Sprintf("no failure in %d noised runs; a rarer one may show with a larger --budget, or name it with --from", runs)
	if checked != nil && len(checked.Failures) > 0 {
		why += fmt.Sprintf("; what the checker sees in every schedule does not count, as no real run shows it (%s)", checked.Failures[0].Message)
	}
	return &NotReproduced{why}
}
