package validate

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

// A baseline is what the original's other tests do without the patch.
type baseline struct {
	passing  []string // in every run, sorted
	ignored  []string // the rest, sorted
	suspects []string // failed while other things went on; they are neither yet, until settled; sorted
	clean    bool     // the process ended well in every run
	times    deadlines
}

// names are those of all tests of a baseline, sorted.
func (b *baseline) names() []string {
	return slices.Sorted(slices.Values(slices.Concat(b.passing, b.ignored, b.suspects)))
}

// others runs on the patched program the tests that pass on the original; late are
// those that there was no time for. As long as all of them pass, the original need
// not be asked which ones it passes.
func (t *tester) others(ctx context.Context, tr *trial, names []string) (b *baseline, late []string, err error) {
	if len(names) == 0 {
		return &baseline{}, nil, nil
	}
	if tr.race && tr.early.divided {
		return t.settle(ctx, tr, names, tr.early)
	}
	if len(tr.early.names) > 0 && !tr.early.passed {
		if err := t.rehearsal.await(ctx, tr.race); err != nil {
			return nil, nil, err
		}
	}
	if b, err = t.known(ctx, tr.race, names); err != nil {
		return nil, nil, err
	}
	if b != nil {
		names = b.passing
	}
	a, err := t.attemptRest(ctx, tr, names)
	switch {
	case err != nil:
		return nil, nil, err
	case tr.race && a.divided:
		return t.settle(ctx, tr, names, a)
	case a.passed && b != nil:
		return b, nil, nil
	case a.passed:
		return &baseline{passing: slices.Sorted(slices.Values(names)), clean: true}, nil, nil
	case b != nil:
		if a.divided {
			a.results = nil // in one process, they may pass
		}
		b, err = t.insist(ctx, tr, b, a.results)
	default:
		b, err = t.compareOthers(ctx, tr, names, a)
	}
	return b, nil, err
}

// attemptRest runs on the patched program what has not passed early.
func (t *tester) attemptRest(ctx context.Context, tr *trial, names []string) (attempt, error) {
	e := tr.early
	if e.divided && !e.passed && len(without(names, e.names)) == 0 && len(e.names) == len(names) {
		return e, nil // nothing was quiet about it, and would not be now
	}
	if !e.passed {
		e = attempt{}
	}
	left := without(names, e.names)
	defer t.rehearsal.pause(false)()
	a, err := t.attempt(ctx, tr, left, false)
	if len(left) < len(names) {
		a.results = nil // each run is to be with all tests
	}
	return a, err
}

// compareOthers decides on tests of which some have failed with the patch, when
// nothing was known of the original.
func (t *tester) compareOthers(ctx context.Context, tr *trial, names []string, a attempt) (*baseline, error) {
	if err := t.rehearsal.await(ctx, tr.race); err != nil {
		return nil, err
	}
	b, err := t.known(ctx, tr.race, names)
	if err != nil {
		return nil, err
	}
	if b == nil && a.divided {
		if a.results, err = t.repeatOthers(ctx, tr, names); err != nil {
			return nil, err
		}
		if a.divided = false; allPass(a.results, names) {
			return &baseline{passing: slices.Sorted(slices.Values(names)), clean: true}, nil
		}
	}
	if b == nil {
		if b, err = t.baseline(ctx, tr.race, names); err != nil {
			return nil, err
		}
	}
	if len(a.results) > 0 && b.failed(a.results) < 0 {
		return b, nil
	}
	if len(b.ignored) > 0 || a.divided {
		a.results = nil // others may have hidden what has to pass
	}
	return t.insist(ctx, tr, b, a.results)
}

// early runs the other tests on the patched program while other checks go on. A
// test that passes then need not be run again; one that fails may only have been
// disturbed.
func (t *tester) early(ctx context.Context, tr *trial) error {
	if tr == nil {
		return nil
	}
	names, _ := t.otherNames(tr)
	if b := cmp.Or(t.baselines[tr.race], t.rehearsal.baseline(tr.race, names)); b != nil {
		names = b.passing
	}
	a, err := t.attempt(ctx, tr, names, true)
	if err != nil {
		return err
	}
	tr.early = a
	return t.refuteRaces(ctx, tr, a)
}

// refuteRaces rejects the patch for data races in runs that have failed, whatever else goes on: no
// load makes one. Tests in which the original races too are left for later.
func (t *tester) refuteRaces(ctx context.Context, tr *trial, a attempt) error {
	for i, r := range a.broken {
		bad := r.racing()
		if len(bad) == 0 {
			continue
		}
		before, err := t.flaky(ctx, tr.race, bad)
		if err != nil {
			return err
		}
		if bad = without(bad, before); len(bad) > 0 {
			return t.rejected(r, bad, i)
		}
	}
	return nil
}

// racing are the tests that have failed in a run by a data race.
func (r testRun) racing() (names []string) {
	for _, f := range evidence.Parse(r.Output) {
		if name := topLevel(f.Test); f.Kind == evidence.Race && r.tests[name] == "FAIL" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// without are the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}

// insist runs the tests of a baseline until they have passed, but for those that
// turn out to fail on the original too. results are runs that were made; nil: none.
func (t *tester) insist(ctx context.Context, tr *trial, b *baseline, results []testRun) (*baseline, error) {
	for range blameRounds {
		if len(b.passing) == 0 {
			return b, nil
		}
		if results == nil {
			var err error
			if results, err = t.repeatOthers(ctx, tr, b.passing); err != nil {
				return nil, err
			}
		}
		if ok, err := t.blame(ctx, tr.race, b, results); ok || err != nil {
			return b, err
		}
		results = nil
	}
	return nil, &Rejected{Mutant: t.mutant, Stage: StageTests, Reason: "other tests of the package keep failing with the patch"}
}

// known is what is known of some tests of the original; nil: nothing. A test that
// failed while other things went on is ignored only if it fails alone, too.
func (t *tester) known(ctx context.Context, race bool, names []string) (*baseline, error) {
	if b := t.baselines[race]; b != nil {
		return b, nil
	}
	b := t.rehearsal.baseline(race, names)
	if b == nil {
		return nil, nil
	}
	if len(b.suspects) > 0 {
		alone, err := t.ask(ctx, race, b.suspects, true)
		if err != nil {
			return nil, err
		}
		if len(alone.ignored) == 0 {
			return nil, nil // they had not the machine to themselves: nothing is known of the process's end
		}
		b.passing = slices.Sorted(slices.Values(slices.Concat(b.passing, alone.passing)))
		b.ignored, b.suspects = alone.ignored, nil
	}
	t.baselines[race] = b
	return b, nil
}

// An attempt is runs of tests that all have to pass.
type attempt struct {
	names   []string
	passed  bool          // all passed in every run, each of which ended well, but for the late ones
	results []testRun     // nil: not worth looking at
	divided bool          // several processes had a part of the tests each; results is one run
	failed  [][]string    // the parts that have not passed
	broken  []testRun     // runs that have not passed
	late    []string      // tests that there was no time for
	waited  time.Duration // for these
}

// attempt runs tests as often as they are to be run, or, if it is to give up, until
// a run has failed.
func (t *tester) attempt(ctx context.Context, tr *trial, names []string, givesUp bool) (attempt, error) {
	a := attempt{names: names, passed: true}
	if len(names) == 0 {
		return a, nil
	}
	first, slow, err := t.first(ctx, tr, names)
	switch {
	case err != nil:
	case slow:
		a, err = t.divided(ctx, tr, names, first)
	case givesUp && !allPass([]testRun{first}, names):
		a.results = []testRun{first}
	default:
		a.results, err = t.repeatOthers(ctx, tr, names, first)
	}
	a.passed = err == nil && allPass(a.results, without(names, a.late))
	if !a.divided && !a.passed {
		a.broken = a.results
	}
	return a, err
}

// first runs tests once; slow: they were stopped, because they take longer than
// is worth repeating.
func (t *tester) first(ctx context.Context, tr *trial, names []string) (first testRun, slow bool, err error) {
	first, err = t.within(ctx, tr, names, min(testsEnough, t.o.TestTimeout))
	return first, first.Stop == gotool.TimedOut && first.late == "" && t.o.TestTimeout > testsEnough, err
}

// repeatOthers runs tests of the patched program Options.TestRuns times, less often when
// they are slow. Runs that were made before count.
func (t *tester) repeatOthers(ctx context.Context, tr *trial, names []string, before ...testRun) ([]testRun, error) {
	return t.repeated(func() (testRun, error) { return t.within(ctx, tr, names, t.o.TestTimeout) }, before)
}

// allPass reports whether tests passed in all of some runs, which ended well.
func allPass(results []testRun, names []string) bool {
	return !slices.ContainsFunc(results, func(r testRun) bool { return !r.clean() || len(r.failing(names)) > 0 })
}

// blame reports whether tests that the original passes have passed. It rejects the
// patch for one that failed, unless that fails on the original, too: then it
// counts as ignored from now on.
func (t *tester) blame(ctx context.Context, race bool, b *baseline, results []testRun) (bool, error) {
	at := b.failed(results)
	if at < 0 {
		return true, nil
	}
	bad := results[at].failing(b.passing)
	if len(bad) == 0 {
		return false, t.rejected(results[at], nil, at)
	}
	flaky, err := t.flaky(ctx, race, bad)
	if err != nil {
		return false, err
	}
	if len(flaky) == 0 {
		return false, t.rejected(results[at], bad, at)
	}
	t.o.Log("%s fails on the original too, sometimes: left out", strings.Join(flaky, ", "))
	b.ignore(flaky)
	return false, nil
}

// baseline asks which of the other tests the original passes.
func (t *tester) baseline(ctx context.Context, race bool, names []string) (*baseline, error) {
	b, err := t.ask(ctx, race, names, false)
	if err == nil {
		t.baselines[race] = b
	}
	return b, err
}

// ask runs tests on the original; if they are suspects, not again after a run in
// which all of them have failed.
func (t *tester) ask(ctx context.Context, race bool, names []string, suspects bool) (*baseline, error) {
	defer t.rehearsal.pause(true)()
	original, err := t.build(ctx, "original", race, t.original)
	if err != nil {
		return nil, err
	}
	first, err := t.whole(ctx, original, names)
	if err != nil {
		return nil, err
	}
	results := []testRun{first}
	if !suspects || len(first.failing(names)) < len(names) {
		for spent := first.Elapsed; len(results) < t.o.TestRuns && spent <= testsEnough; {
			r, err := t.whole(ctx, original, names)
			if err != nil {
				return nil, err
			}
			results = append(results, r)
			spent += r.Elapsed
		}
	}
	b := &baseline{}
	b.split(names, results)
	return b, nil
}

// split sorts tests into those that pass in all runs and the rest.
func (b *baseline) split(names []string, results []testRun) {
	b.passing, b.clean = slices.Sorted(slices.Values(names)), true
	b.times = deadlines{}
	for _, r := range results {
		b.times.add(r.times)
		b.ignore(r.failing(b.passing))
		b.clean = b.clean && r.clean()
	}
}

// failed is the index of the first run that does not do as well; -1: there is none.
func (b *baseline) failed(results []testRun) int {
	return slices.IndexFunc(results, func(r testRun) bool {
		return len(r.failing(b.passing)) > 0 || b.clean && !r.clean()
	})
}

// ignore moves tests from the passing to the ignored.
func (b *baseline) ignore(names []string) {
	b.passing = without(b.passing, names)
	b.ignored = append(b.ignored, names...)
	slices.Sort(b.ignored)
}

// flaky returns those of some tests that fail on the original too when it is run
// more often: first alone and then, where what is seldom shows more often, several
// runs side by side.
func (t *tester) flaky(ctx context.Context, race bool, names []string) ([]string, error) {
	original, err := t.build(ctx, "original", race, t.original)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	bad := map[string]bool{}
	once := func(ctx context.Context) error {
		r, err := t.once(ctx, original, exactly(names))
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for _, name := range r.failing(names) {
			bad[name] = true
		}
		return nil
	}
	began := time.Now()
	for done := 0; done < blameRuns && len(bad) < len(names) && time.Since(began) < blameTime; {
		n := 1
		if done >= blameAlone {
			n = blameAtOnce
		}
		all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
		for range n {
			all.Go(once)
		}
		if err := all.Wait(); err != nil {
			return nil, err
		}
		done += n
	}
	return slices.Sorted(maps.Keys(bad)), nil
}
