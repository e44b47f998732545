package mendel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
)

const (
	// baselineRuns is how often the original runs to learn how it fails and
	// how long it takes: CORE's 20 (Kelk 2015, set-up).
	baselineRuns = 20
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
	// plainPatience is how long noised runs wait for the plain ones. A test that
	// always deadlocks hangs in these until their limit, and fails at once in those.
	plainPatience = 2 * time.Second
	// hangsSuffice is how many runs that hang are waited for in a baseline.
	hangsSuffice = 3
)

// A baseline is how the original behaves.
type baseline struct {
	noised   []noise.Outcome
	failures []Failure       // most frequent first
	kind     evidence.Kind   // of the most frequent failure
	failed   int             // noised runs that failed
	checked  *checker.Report // of the original; nil: the checker takes no part
	plain    []noise.Outcome // that the time limit was first set by
	leaks    bool            // the runs had the leak profile
}

// errNotReproduced is why there is nothing to repair.
type errNotReproduced struct{ reason string }

func (e *errNotReproduced) Error() string { return e.reason }

// reproduce runs the original plainly and with noise until it is known how it
// fails. When it does not, or fails for reasons that have nothing to do with
// concurrency, the error is an *errNotReproduced.
func (r *repairer) reproduce(ctx context.Context) (*baseline, error) {
	ctx, cancel := context.WithCancel(ctx)
	plain := r.startPlain(ctx)
	checked := make(chan *checker.Report, 1)
	go func() {
		defer close(checked)
		checked <- r.checkOriginal(ctx)
	}()
	defer func() {
		cancel()
		<-checked
		<-plain.done
	}()
	binary, err := r.harness.Build(ctx, noise.Noised, nil)
	if err != nil {
		return nil, fmt.Errorf("build the tests: %w", err)
	}
	defer binary.Close()
	b := &baseline{}
	select {
	case <-plain.done:
		if err := r.tested(plain); err != nil {
			return nil, err
		}
		r.harness.Calibrate(plain.outcomes) // stands if every noised run hangs
		b.plain = plain.outcomes
	case <-time.After(plainPatience):
	}
	if err := r.noisedBaseline(ctx, binary, b, checked); err != nil {
		return nil, err
	}
	if why := b.otherTrouble(); why != "" {
		r.without(why)
		b.checked = nil
	}
	b.summarise()
	if b.failed == 0 || !b.concurrent() {
		<-plain.done
		if err := r.tested(plain); err != nil {
			return nil, err
		}
	}
	if r.asked.missed(b) && leavesBlocked(b.checked) {
		if b, err = r.askForLeaks(ctx, b); err != nil {
			return nil, err
		}
	}
	if err := r.keepAsked(b); err != nil {
		return b, err
	}
	if b.failed == 0 && !believable(b.checked) {
		return b, nothingSeen(plain.outcomes, len(b.noised), b.checked)
	}
	if b.failed == 0 {
		r.note("none of %d noised runs failed: the checker alone has seen the failure and decides", len(b.noised))
	}
	if b.concurrent() {
		return b, nil
	}
	if why := sequentialFailure(plain.outcomes); why != "" {
		return b, &errNotReproduced{why}
	}
	return b, nil
}

// A plainBaseline is how the original behaves on one processor without noise;
// to be read when done is closed.
type plainBaseline struct {
	done     chan struct{}
	outcomes []noise.Outcome
	err      error
}

// startPlain begins the plain runs.
func (r *repairer) startPlain(ctx context.Context) *plainBaseline {
	p := &plainBaseline{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.outcomes, p.err = r.plainRuns(ctx)
	}()
	return p
}

// tested tells why plain runs that are done are of no use, if so.
func (r *repairer) tested(plain *plainBaseline) error {
	if plain.err != nil {
		return plain.err
	}
	if tests := slices.MaxFunc(plain.outcomes, func(a, b noise.Outcome) int { return a.Tests - b.Tests }); tests.Tests == 0 && (tests.Pass || len(tests.Failures) == 0) {
		return &errNoTests{r.o.Run, r.result.Target.Package}
	}
	return nil
}

// concurrent tells whether a failure is one that only concurrent programs have.
func (b *baseline) concurrent() bool {
	return slices.ContainsFunc(b.failures, func(f Failure) bool {
		return f.Kind == evidence.Race || f.Kind == evidence.Deadlock || f.Kind == evidence.Blocked
	})
}

// plainRuns runs the tests as they are on one processor, without noise.
func (r *repairer) plainRuns(ctx context.Context) ([]noise.Outcome, error) {
	binary, err := r.harness.Build(ctx, noise.Plain, nil)
	if err != nil {
		return nil, fmt.Errorf("build the tests: %w", err)
	}
	defer binary.Close()
	outcomes, err := r.harness.RunMany(ctx, binary, plainRuns, noise.RunOptions{
		Seed: r.o.Seed, Quiet: true, Procs: 1, Timeout: r.firstTimeout(),
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("run the tests without noise: %w", err)
	}
	return outcomes, nil
}

// noisedBaseline runs the original with noise: baselineRuns times, then on
// until a failure shows, rareRuns are done or a quarter of the budget is spent.
// With a checker there are fewer, once it has found a failure; b takes what it
// has found.
func (r *repairer) noisedBaseline(ctx context.Context, binary *noise.Binary, b *baseline, checked <-chan *checker.Report) error {
	hangs := 0
	enough := func(o noise.Outcome) bool {
		if slow := o.Elapsed > r.firstTimeout()/2; slow && !o.Pass {
			hangs++
		}
		return hangs >= hangsSuffice
	}
	began := time.Now()
	seed := r.o.Seed << 20 // scoring and validation derive theirs from hashes
	batch := baselineRuns
	if !r.o.NoChecker {
		batch = checkedRuns
	}
	for len(b.noised) < rareRuns {
		outcomes, err := r.harness.RunMany(ctx, binary, batch, noise.RunOptions{
			Seed: seed + uint64(len(b.noised)), Timeout: r.firstTimeout(),
		}, enough)
		b.noised = append(b.noised, outcomes...)
		if err != nil {
			return fmt.Errorf("run the tests with noise: %w", err)
		}
		if report, first := <-checked; first {
			b.checked = report
		}
		failed := slices.ContainsFunc(b.noised, r.asked.shown)
		checkerSees := r.asked.found(b.checked)
		if checkerSees && believable(b.checked) && failed || checkerSees && (believable(b.checked) || leavesBlocked(b.checked)) && len(b.noised) >= baselineRuns {
			break
		}
		if failed && len(b.noised) >= baselineRuns || hangs >= hangsSuffice {
			break
		}
		if spent := time.Since(began); spent > r.o.Budget/4 {
			break
		}
	}
	r.harness.Calibrate(b.noised)
	return nil
}

// firstTimeout is the limit of a run before calibration.
func (r *repairer) firstTimeout() time.Duration {
	return cmp.Or(r.o.Timeout, firstTimeout)
}

// summarise counts failures by signature.
func (b *baseline) summarise() {
	bySignature := map[string]*Failure{}
	var order []string
	kinds := map[evidence.Kind]int{}
	for _, o := range b.noised {
		if o.Pass {
			continue
		}
		b.failed++
		kinds[o.Kind()]++
		for _, f := range o.Failures {
			known := bySignature[f.Signature]
			if known == nil {
				known = &Failure{Failure: f, Runs: len(b.noised)}
				bySignature[f.Signature] = known
				order = append(order, f.Signature)
			}
			known.Seen++
		}
	}
	order = append(order, b.addChecked(bySignature)...)
	for _, signature := range order {
		b.failures = append(b.failures, *bySignature[signature])
	}
	// Races first: they explain assertions that fail because of them.
	slices.SortStableFunc(b.failures, func(x, y Failure) int {
		return cmp.Or(cmp.Compare(x.Kind.Rank(), y.Kind.Rank()), cmp.Compare(y.Seen, x.Seen), cmp.Compare(x.Signature, y.Signature))
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
func (b *baseline) addChecked(bySignature map[string]*Failure) (order []string) {
	if b.checked == nil {
		return nil
	}
	for i := range b.checked.Failures {
		f := &b.checked.Failures[i]
		known := bySignature[f.Signature]
		if known == nil {
			known = &Failure{Failure: f.Failure}
			bySignature[f.Signature] = known
			order = append(order, f.Signature)
		}
		if known.found == nil {
			known.found = f
		}
	}
	return order
}

// nothingSeen says why there is nothing to repair when every noised run passed
// and what the checker reports is not believable.
func nothingSeen(plain []noise.Outcome, runs int, checked *checker.Report) error {
	for _, o := range plain {
		if !o.Pass && len(o.Failures) > 0 {
			return &errNotReproduced{fmt.Sprintf("a run on one processor without noise failed (%s), but none of %d noised runs did", o.Failures[0].Message, runs)}
		}
	}
	why := fmt.Sprintf("no failure in %d noised runs; a rarer one may show with a larger --budget, or name it with --from", runs)
	if checked != nil && len(checked.Failures) > 0 {
		why += fmt.Sprintf("; what the checker sees in every schedule does not count, as no real run shows it (%s)", checked.Failures[0].Message)
	}
	return &errNotReproduced{why}
}

// sequentialFailure says why a failure that no race, deadlock or blocked
// goroutine comes with is no matter of concurrency: the tests fail in the same
// way whenever they run alone on one processor. It is "" otherwise.
func sequentialFailure(plain []noise.Outcome) string {
	if len(plain) == 0 {
		return ""
	}
	first := plain[0]
	for _, o := range plain {
		if o.Pass || len(o.Failures) == 0 {
			return ""
		}
		switch o.Kind() {
		case evidence.Race, evidence.Deadlock, evidence.Blocked:
			return ""
		}
		if !alike(o, first) {
			return ""
		}
	}
	message := first.Failures[0].Message
	if first.Hung() {
		return fmt.Sprintf("the test does not end within its limits even without noise on one processor (%s), and nothing in it waits for a lock or channel; if it is only slow, give it more time with --timeout", message)
	}
	return fmt.Sprintf("the test fails in the same way in each run without concurrency (one processor, no noise): %s", message)
}

// alike tells whether two failed runs failed in the same way: by the same
// failure, or because both had to be stopped, wherever they were then.
func alike(a, b noise.Outcome) bool {
	return a.Failures[0].Signature == b.Failures[0].Signature || a.Hung() && b.Hung()
}

// errNoTests is the error for a pattern that no test matches.
type errNoTests struct{ pattern, pkg string }

func (e *errNoTests) Error() string {
	if e.pattern == "" {
		return e.pkg + " has no tests to run"
	}
	return fmt.Sprintf("no test of %s matches --run %s; list them with: go test -list . %s", e.pkg, e.pattern, e.pkg)
}

// asNotReproduced unpacks an *errNotReproduced.
func asNotReproduced(err error) (string, bool) {
	var e *errNotReproduced
	if errors.As(err, &e) {
		return e.reason, true
	}
	return "", false
}
