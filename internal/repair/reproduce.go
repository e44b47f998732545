package repair

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
	"mendel/internal/scenario"
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
	// firstTimeout limits a run while nothing is known of the tests.
	firstTimeout = 20 * time.Second
	// firstShare is the part of the budget, one of so many, that it is at most, and
	// leastFirst what it is at least. Guessed.
	firstShare = 6
	leastFirst = 5 * time.Second
	// plainWait is how long noised runs wait for the plain ones. A test that
	// always deadlocks hangs in these until their limit, and fails at once in those.
	plainWait = 2 * time.Second
	// hangsSuffice is how many runs that hang are waited for in a baseline.
	hangsSuffice = 3
)

// A baseline is how the original behaves, and what was made to find out.
type baseline struct {
	noised   []noise.Outcome
	failures []failure        // most telling kind first, then most frequent
	kind     evidence.Kind    // of the most frequent failure
	failed   int              // noised runs that failed
	plain    []noise.Outcome  // that the time limit was first set by
	leaks    bool             // the runs had the leak profile
	standing []string         // what is left blocked and does not count; see setAside
	apart    []evidence.Apart // how tests fail for reasons of their own; see keepApart
	harness  *noise.Harness   // that noised runs are made with from here on
	testdata map[string]string
	// scenarios tries fixes with tests made by machine; nil: the checker takes no part.
	scenarios *scenario.Trier
	checkedOriginal
	forcedOriginal
}

// A failure is one way in which the original fails.
type failure struct {
	evidence.Failure
	seen  int              // noised runs that showed it
	runs  int              // of so many; 0: only the checker showed it, or forcing
	found *checker.Failure // by the checker; nil: it was not
	when  *cover.Found     // forced; nil: it showed otherwise, too, or was not
}

// NotReproduced is the error for a target that shows nothing to repair.
type NotReproduced struct{ Reason string }

func (e *NotReproduced) Error() string { return e.Reason }

// baseline is how the original behaves: as it is known, if the run goes on, or
// by reproducing the failure, which is kept then. It is not nil, and the caller
// closes it, whatever the error.
func (env *environment) baseline(ctx context.Context, n *analysis.Narrowing) (*baseline, error) {
	b := &baseline{}
	var err error
	if b.harness, err = noise.New(env.noiseConfig(n)); err != nil {
		return b, err
	}
	env.progress.meter.use(b.harness)
	if past := env.journal.Resumed(); past != nil {
		if saved, err := past.Baseline(); err != nil {
			return b, err
		} else if saved != nil {
			return b, env.restoreBaseline(ctx, n, b, saved)
		}
	}
	env.journal.GoLive()
	before := env.hashTestdata()
	err = env.reproduce(ctx, n, b)
	b.testdata = journal.Common(before, env.hashTestdata())
	if err == nil {
		err = env.saveBaseline(b)
	}
	return b, err
}

// close gives back what the baseline holds.
func (b *baseline) close(p *progress) {
	if b.harness != nil {
		_ = b.harness.Close() // nothing that was found depends on it
	}
	if b.forcer != nil {
		_ = b.forcer.Close() // likewise
	}
	if b.scenarios != nil {
		_ = b.scenarios.Close() // likewise
	}
	if b.explorer == nil {
		return
	}
	if err := b.explorer.checker.Close(); err != nil {
		p.note("remove the checker's files: %v", err)
	}
}

// reproduce runs the original plainly and with noise until it is known how it
// fails. When it does not, or fails for reasons that have nothing to do with
// concurrency, the error is a *NotReproduced.
func (env *environment) reproduce(ctx context.Context, n *analysis.Narrowing, b *baseline) error {
	ctx, cancel := context.WithCancel(ctx)
	plain := env.startPlain(ctx, b.harness)
	checked := make(chan checkedOriginal, 1)
	go func() {
		defer close(checked)
		checked <- env.checkOriginal(ctx)
	}()
	defer func() {
		cancel()
		if original, first := <-checked; first {
			b.checkedOriginal = original // its explorer has to be closed
		}
		<-plain.done
	}()
	binary, err := b.harness.Build(ctx, noise.Noised, nil)
	if err != nil {
		return fmt.Errorf("build the tests: %w", err)
	}
	defer binary.Close()
	select {
	case <-plain.done:
		if err := env.tested(plain); err != nil {
			return err
		}
		b.harness.Calibrate(plain.outcomes) // stands if every noised run hangs
		b.plain = plain.outcomes
	case <-time.After(plainWait):
	}
	predict := func() error { return env.force(ctx, n, b) }
	if err := env.noisedBaseline(ctx, binary, b, checked, predict); err != nil {
		return err
	}
	if err := predict(); err != nil {
		return err
	}
	env.doubtTimeouts(ctx, b)
	env.setAside(ctx, b)
	if why := b.otherTrouble(); why != "" {
		b.leaveOut(env.disableChecker(why))
	}
	b.summarise()
	if err := env.keepApart(ctx, n, b, binary); err != nil {
		return err
	}
	if b.failed == 0 || !b.concurrent() {
		<-plain.done
		if err := env.tested(plain); err != nil {
			return err
		}
	}
	if env.only.missed(b) && leavesBlocked(b.checked) {
		if err = env.askForLeaks(ctx, n, b); err != nil {
			return err
		}
	}
	if err := env.keepWanted(b); err != nil {
		return err
	}
	return env.judgeBaseline(ctx, binary, b, plain)
}

// judgeBaseline reports by a *NotReproduced that there is nothing to repair.
func (env *environment) judgeBaseline(ctx context.Context, binary *noise.Binary, b *baseline, plain *plainBaseline) error {
	if b.failed == 0 && len(b.forced) == 0 && !believable(b.checked) && !confirmed(b.checked, plain.outcomes) {
		return nothingSeen(plain.outcomes, len(b.noised), b.checked)
	}
	if b.failed == 0 && len(b.forced) > 0 {
		env.progress.note("none of %d noised runs failed: the failure shows when an interleaving is forced", len(b.noised))
	} else if b.failed == 0 {
		env.progress.note("none of %d noised runs failed: the checker alone has seen the failure and decides", len(b.noised))
	}
	if b.concurrent() {
		return nil
	}
	why := b.sequentialFailure(plain.outcomes)
	if why == "" {
		return nil
	}
	others, err := env.inPast(ctx, b, binary)
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
func (env *environment) startPlain(ctx context.Context, h *noise.Harness) *plainBaseline {
	p := &plainBaseline{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.outcomes, p.err = env.plainRuns(ctx, h)
	}()
	return p
}

// tested returns why plain runs that are done are of no use; nil if they are.
func (env *environment) tested(plain *plainBaseline) error {
	if plain.err != nil {
		return plain.err
	}
	if tests := slices.MaxFunc(plain.outcomes, func(a, b noise.Outcome) int { return a.Tests - b.Tests }); tests.Tests == 0 && (tests.Pass || len(tests.Failures) == 0) {
		return &analysis.NoTests{Pattern: env.run, Package: env.target.Package}
	}
	return nil
}

// plainRuns runs the tests as they are on one processor, without noise.
func (env *environment) plainRuns(ctx context.Context, h *noise.Harness) ([]noise.Outcome, error) {
	binary, err := h.Build(ctx, noise.Plain, nil)
	if err != nil {
		return nil, fmt.Errorf("build the tests: %w", err)
	}
	defer binary.Close()
	outcomes, err := h.RunMany(ctx, binary, plainRuns, noise.RunOptions{
		Seed: env.seed, Quiet: true, Procs: 1, Timeout: env.firstTimeout(),
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("run the tests without noise: %w", err)
	}
	return outcomes, nil
}

// noisedBaseline runs the original with noise: baselineRuns times, then on
// until a failure shows, rareRuns are done or a quarter of the budget is spent.
// With a checker there are fewer, once it has found a failure; b takes what it
// has found. A slow test that always fails is run certainRuns times. After
// baselineRuns that show nothing predict forces interleavings; if one fails, that is
// enough.
func (env *environment) noisedBaseline(ctx context.Context, binary *noise.Binary, b *baseline, checked <-chan checkedOriginal, predict func() error) error {
	hangs := 0
	var first []noise.Outcome
	enough := func(o noise.Outcome) bool {
		if slow := o.Elapsed > env.firstTimeout()/2; slow && !o.Pass {
			hangs++
		}
		if len(first) < certainRuns {
			first = append(first, o)
		}
		return hangs >= hangsSuffice || env.certain(first)
	}
	began := time.Now()
	seed := env.seed << 20 // scoring and validation derive theirs from hashes
	batch := baselineRuns
	if !env.noChecker {
		batch = checkedRuns
	}
	for len(b.noised) < rareRuns {
		outcomes, err := b.harness.RunMany(ctx, binary, batch, noise.RunOptions{
			Seed: seed + uint64(len(b.noised)), Timeout: env.firstTimeout(),
		}, enough)
		b.noised = append(b.noised, outcomes...)
		if err != nil {
			return fmt.Errorf("run the tests with noise: %w", err)
		}
		if original, first := <-checked; first {
			b.checkedOriginal = original
		}
		if env.settled(b) || hangs >= hangsSuffice || env.certain(first) {
			break
		}
		if spent := time.Since(began); spent > env.budget/4 {
			break
		}
		if len(b.noised) < baselineRuns {
			continue
		}
		if err := predict(); err != nil {
			return err
		}
		if len(b.forced) > 0 {
			break
		}
	}
	b.harness.Calibrate(b.noised)
	return nil
}

// settled reports whether the runs so far tell how the original fails: fewer do when
// the checker has found what they show, or what they need not show.
func (env *environment) settled(b *baseline) bool {
	failed := slices.ContainsFunc(b.noised, env.only.shown)
	if env.only.found(b.checked) && believable(b.checked) || failed && confirmed(b.checked, b.noised) {
		return failed || len(b.noised) >= baselineRuns
	}
	return (failed || env.only.found(b.checked) && leavesBlocked(b.checked)) && len(b.noised) >= baselineRuns
}

// certain reports whether the first certainRuns of a slow test all failed as asked.
func (env *environment) certain(first []noise.Outcome) bool {
	var spent time.Duration
	for _, o := range first {
		if !env.only.shown(o) {
			return false
		}
		spent += o.Elapsed
	}
	return len(first) >= certainRuns && spent >= certainRuns*slowRun
}

// summarise counts failures by signature.
func (b *baseline) summarise() {
	b.failures, b.failed, b.kind = nil, 0, ""
	bySignature := map[string]*failure{}
	var order []string
	kinds := map[evidence.Kind]int{}
	for _, o := range b.counted() {
		if o.Pass {
			continue
		}
		b.failed++
		kinds[o.Kind()]++
		for _, f := range o.Failures {
			known := bySignature[f.Signature]
			if known == nil {
				known = &failure{Failure: f, runs: len(b.noised)}
				bySignature[f.Signature] = known
				order = append(order, f.Signature)
			}
			known.seen++
		}
	}
	order = append(order, b.addChecked(bySignature)...)
	order = append(order, b.addForced(bySignature)...)
	for _, signature := range order {
		b.failures = append(b.failures, *bySignature[signature])
	}
	// Races first: they explain assertions that fail because of them.
	slices.SortStableFunc(b.failures, func(x, y failure) int {
		return cmp.Or(cmp.Compare(x.Kind.Rank(), y.Kind.Rank()), cmp.Compare(y.seen, x.seen), cmp.Compare(x.Signature, y.Signature))
	})
	best := 0
	for kind, n := range kinds {
		if n > best || n == best && kind.Rank() < b.kind.Rank() {
			best, b.kind = n, kind
		}
	}
	if best == 0 && len(b.failures) > 0 {
		b.kind = b.failures[0].Kind
	}
}

// addChecked joins the checker's failures: to one that noise has shown too, or
// as one of its own.
func (b *baseline) addChecked(bySignature map[string]*failure) (order []string) {
	if b.checked == nil {
		return nil
	}
	for i := range b.checked.Failures {
		f := &b.checked.Failures[i]
		known := bySignature[f.Signature]
		if known == nil {
			known = &failure{Failure: f.Failure}
			bySignature[f.Signature] = known
			order = append(order, f.Signature)
		}
		if known.found == nil {
			known.found = f
		}
	}
	return order
}

// addForced adds the failures that showed only when an interleaving was forced.
func (b *baseline) addForced(bySignature map[string]*failure) (order []string) {
	for _, found := range b.forced {
		for _, o := range found.Outcomes {
			for _, f := range o.Failures {
				if bySignature[f.Signature] == nil {
					bySignature[f.Signature] = &failure{Failure: f, when: found}
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
