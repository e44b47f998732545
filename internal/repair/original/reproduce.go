package original

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/cover"
	"mendel/internal/journal"
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

// A baseline is how the original behaves, and what was made to find out.
type Baseline struct {
	setup     *setup.Setup
	only      *WantedFailures // to be repaired; nil: whatever fails
	narrowing *analysis.Narrowing

	Noised   []noise.Outcome
	Failures []Failure        // most telling kind first, then most frequent
	Kind     evidence.Kind    // of the most frequent failure
	Failed   int              // noised runs that failed
	plain    []noise.Outcome  // that the time limit was first set by
	Leaks    bool             // the runs had the leak profile
	Standing []string         // what is left blocked and does not count; see setAside
	apart    []evidence.Apart // how tests fail for reasons of their own; see keepApart
	Harness  *noise.Harness   // that noised runs are made with from here on
	Testdata map[string]string
	doubting bool // time-outs of the program may expire early, see doubtTimeouts
	checkedOriginal
	forcedOriginal
}

// A failure is one way in which the original fails.
type Failure struct {
	evidence.Failure
	seen  int              // noised runs that showed it
	runs  int              // of so many; 0: only the checker showed it, or forcing
	Found *checker.Failure // by the checker; nil: it was not
	when  *cover.Found     // forced; nil: it showed otherwise, too, or was not
}

// NotReproduced is the error for a target that shows nothing to repair.
type NotReproduced struct{ Reason string }

func (e *NotReproduced) Error() string { return e.Reason }

// newBaseline is that of an original of which nothing is known yet. The caller closes it.
func New(s *setup.Setup, only *WantedFailures, n *analysis.Narrowing) *Baseline {
	return &Baseline{setup: s, only: only, narrowing: n}
}

// find finds out how the original behaves: as it is known, if the run goes on, or
// by reproducing the failure, which is kept then. When it does not fail, or fails for reasons that have nothing to do
// with concurrency, the error is a *NotReproduced.
func (b *Baseline) Reproduce(ctx context.Context) error {
	s := b.setup
	var err error
	if b.Harness, err = noise.New(s.NoiseConfig(b.narrowing)); err != nil {
		return err
	}
	s.Progress.Meter.Use(b.Harness)
	if past := s.Journal.Resumed(); past != nil {
		if saved, err := past.Baseline(); err != nil {
			return err
		} else if saved != nil {
			return b.restore(ctx, saved)
		}
	}
	s.Journal.GoLive()
	before := s.HashTestdata()
	err = (&reproduction{Baseline: b}).run(ctx)
	b.Testdata = journal.Common(before, s.HashTestdata())
	if err == nil {
		err = b.save()
	}
	return err
}

// close gives back what the baseline holds.
func (b *Baseline) Close() {
	if b.Harness != nil {
		_ = b.Harness.Close() // nothing that was found depends on it
	}
	if b.Forcer != nil {
		_ = b.Forcer.Close() // likewise
	}
	b.checkedOriginal.close(b.setup.Progress)
}

// A reproduction finds out how the original fails, with noise and without.
type reproduction struct {
	*Baseline                // what was found out until now
	quiet     *plainBaseline // without noise
	binary    *noise.Binary  // with noise
}

// run runs the original plainly and with noise until it is known how it
// fails. When it does not, or fails for reasons that have nothing to do with
// concurrency, the error is a *NotReproduced.
func (r *reproduction) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	r.startPlain(ctx)
	checked := make(chan checkedOriginal, 1)
	go func() {
		defer close(checked)
		checked <- r.checkOriginal(ctx, false)
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
func (b *Baseline) settled() bool {
	failed := slices.ContainsFunc(b.Noised, b.only.shown)
	if b.only.found(b.Checked) && believable(b.Checked) || failed && confirmed(b.Checked, b.Noised) {
		return failed || len(b.Noised) >= baselineRuns
	}
	return (failed || b.only.found(b.Checked) && leavesBlocked(b.Checked)) && len(b.Noised) >= baselineRuns
}

// summarise counts failures by signature.
func (b *Baseline) summarise() {
	b.Failures, b.Failed, b.Kind = nil, 0, ""
	bySignature := map[string]*Failure{}
	var order []string
	kinds := map[evidence.Kind]int{}
	for _, o := range b.Counted() {
		if o.Pass {
			continue
		}
		b.Failed++
		kinds[o.Kind()]++
		for _, f := range o.Failures {
			known := bySignature[f.Signature]
			if known == nil {
				known = &Failure{Failure: f, runs: len(b.Noised)}
				bySignature[f.Signature] = known
				order = append(order, f.Signature)
			}
			known.seen++
		}
	}
	order = append(order, b.addChecked(bySignature)...)
	order = append(order, b.addForced(bySignature)...)
	for _, signature := range order {
		b.Failures = append(b.Failures, *bySignature[signature])
	}
	// Races first: they explain assertions that fail because of them.
	slices.SortStableFunc(b.Failures, func(x, y Failure) int {
		return cmp.Or(cmp.Compare(x.Kind.Rank(), y.Kind.Rank()), cmp.Compare(y.seen, x.seen), cmp.Compare(x.Signature, y.Signature))
	})
	best := 0
	for kind, n := range kinds {
		if n > best || n == best && kind.Rank() < b.Kind.Rank() {
			best, b.Kind = n, kind
		}
	}
	if best == 0 && len(b.Failures) > 0 {
		b.Kind = b.Failures[0].Kind
	}
}

// addChecked joins the checker's failures: to one that noise has shown too, or
// as one of its own.
func (b *Baseline) addChecked(bySignature map[string]*Failure) (order []string) {
	if b.Checked == nil {
		return nil
	}
	for i := range b.Checked.Failures {
		f := &b.Checked.Failures[i]
		known := bySignature[f.Signature]
		if known == nil {
			known = &Failure{Failure: f.Failure}
			bySignature[f.Signature] = known
			order = append(order, f.Signature)
		}
		if known.Found == nil {
			known.Found = f
		}
	}
	return order
}

// addForced adds the failures that showed only when an interleaving was forced.
func (b *Baseline) addForced(bySignature map[string]*Failure) (order []string) {
	for _, found := range b.Forced {
		for _, o := range found.Outcomes {
			for _, f := range o.Failures {
				if bySignature[f.Signature] == nil {
					bySignature[f.Signature] = &Failure{Failure: f, when: found}
					order = append(order, f.Signature)
				}
			}
		}
	}
	return order
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
