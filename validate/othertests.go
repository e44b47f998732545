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

	"mendel/internal/gotool"
)

// A baseline is what the original's other tests do without the patch.
type baseline struct {
	passing  []string // in every run, sorted
	ignored  []string // the rest, sorted
	suspects []string // failed while other things went on; they are neither yet, until settled; sorted
	clean    bool     // the process ended well in every run
}

// names are those of all tests of a baseline, sorted.
func (b *baseline) names() []string {
	return slices.Sorted(slices.Values(slices.Concat(b.passing, b.ignored, b.suspects)))
}

// others runs on the patched program the tests that pass on the original, and
// says how long a run took. As long as all of them pass, the original need not be
// asked which ones it passes.
func (t *tester) others(ctx context.Context, tr *trial, names []string) (*baseline, time.Duration, error) {
	if len(names) == 0 {
		return &baseline{}, 0, nil
	}
	if len(tr.early.names) > 0 && !tr.early.passed {
		if err := t.rehearsal.await(ctx, tr.race); err != nil {
			return nil, 0, err
		}
	}
	b, err := t.known(ctx, tr.race, names)
	if err != nil {
		return nil, 0, err
	}
	if b != nil {
		names = b.passing
	}
	a, err := t.attemptRest(ctx, tr, names)
	if err == nil && a.passed && a.undecided() {
		a.took, err = t.quietly(ctx, tr, &a)
	}
	switch {
	case err != nil:
		return nil, 0, err
	case a.passed && b != nil:
		return b, a.took, nil
	case a.passed:
		return &baseline{passing: slices.Sorted(slices.Values(names)), clean: true}, a.took, nil
	case b != nil:
		if a.divided {
			a.results = nil // in one process, they may pass
		}
		return t.insist(ctx, tr.patched, tr.race, b, a.results)
	}
	return t.compareOthers(ctx, tr, names, a)
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
	a, err := t.attempt(ctx, tr.patched, left, false)
	if e.took > a.took {
		a.took, a.least, a.slowest = e.took, e.least, e.slowest
	}
	if len(left) < len(names) {
		a.results = nil // each run is to be with all tests
	}
	return a, err
}

// compareOthers decides on tests of which some have failed with the patch, when
// nothing was known of the original.
func (t *tester) compareOthers(ctx context.Context, tr *trial, names []string, a attempt) (*baseline, time.Duration, error) {
	if err := t.rehearsal.await(ctx, tr.race); err != nil {
		return nil, 0, err
	}
	b, err := t.known(ctx, tr.race, names)
	if err != nil {
		return nil, 0, err
	}
	if b == nil && a.divided {
		if a.results, err = t.repeat(ctx, tr.patched, exactly(names)); err != nil {
			return nil, 0, err
		}
		if a.divided = false; allPass(a.results, names) {
			return &baseline{passing: slices.Sorted(slices.Values(names)), clean: true}, longest(a.results), nil
		}
	}
	if b == nil {
		if b, err = t.baseline(ctx, tr.race, names); err != nil {
			return nil, 0, err
		}
	}
	if len(a.results) > 0 && b.failed(a.results) < 0 {
		return b, longest(a.results), nil
	}
	if len(b.ignored) > 0 || a.divided {
		a.results = nil // others may have hidden what has to pass
	}
	return t.insist(ctx, tr.patched, tr.race, b, a.results)
}

// early runs the other tests on the patched program while other checks go on. A
// test that passes then need not be run again; one that fails may only have been
// disturbed.
func (t *tester) early(ctx context.Context, trials [2]*trial) error {
	for _, tr := range trials {
		if tr == nil {
			continue
		}
		if tr.race { // there, tests fail on the original more often
			if err := t.rehearsal.await(ctx, true); err != nil {
				return err
			}
		}
		names, _ := t.otherNames(tr)
		if b := cmp.Or(t.baselines[tr.race], t.rehearsal.baseline(tr.race, names)); b != nil {
			names = b.passing
		}
		a, err := t.attempt(ctx, tr.patched, names, true)
		if err != nil || !a.passed && a.undecided() {
			return err
		}
		tr.early = a
		if !a.passed || a.took > slowOthers {
			return nil
		}
	}
	return nil
}

// without are the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}

// insist runs the tests of a baseline until they have passed, but for those that
// turn out to fail on the original too. results are runs that were made; nil: none.
func (t *tester) insist(ctx context.Context, patched string, race bool, b *baseline, results []testRun) (*baseline, time.Duration, error) {
	var took time.Duration
	for range blameRounds {
		if len(b.passing) == 0 {
			return b, took, nil
		}
		if results == nil {
			var err error
			if results, err = t.repeat(ctx, patched, exactly(b.passing)); err != nil {
				return nil, 0, err
			}
		}
		took = longest(results)
		if ok, err := t.blame(ctx, race, b, results); ok || err != nil {
			return b, took, err
		}
		results = nil
	}
	return nil, 0, &Rejected{Mutant: t.mutant, Stage: StageTests, Reason: "other tests of the package keep failing with the patch"}
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
	passed  bool          // all passed in every run, each of which ended well
	results []testRun     // nil: not worth looking at
	divided bool          // several processes had a part of the tests each; results is one run
	took    time.Duration // a run
	least   time.Duration // that a run would have taken with nothing beside it
	slowest share         // of it; all of it, if it was not divided
}

// A share is the tests that one process runs, and how long it took.
type share struct {
	names []string
	took  time.Duration
}

// undecided reports that nobody can tell whether the tests are slow or were slowed
// down.
func (a *attempt) undecided() bool { return a.took > slowOthers && a.least <= slowOthers }

// quietly says how long a run takes with nothing beside it, by its slowest share, which
// is stopped when that shows that the tests are slow.
func (t *tester) quietly(ctx context.Context, tr *trial, a *attempt) (time.Duration, error) {
	defer t.rehearsal.pause(true)()
	times := float64(a.took) / float64(a.slowest.took)
	o := t.running(tr.patched, exactly(a.slowest.names))
	o.Timeout = min(time.Duration(float64(slowOthers)/times)+time.Millisecond, t.o.TestTimeout)
	r, err := t.exec(ctx, o)
	if r.Stop == gotool.TimedOut {
		return a.took, err
	}
	return min(a.took, time.Duration(float64(r.Elapsed)*times)), err
}

// crowding is how many times as long as with nothing beside it a test is expected
// to compute, at most, while other checks go on. Guessed.
const crowding = 8

// least is what the longest of some runs would have taken at least with nothing
// beside it.
func least(results []testRun) (most time.Duration) {
	for _, r := range results {
		most = max(most, r.alone())
	}
	return most
}

// alone is what a run would have taken at least with nothing beside it: waiting takes
// no longer in a crowd.
func (r testRun) alone() time.Duration { return max(0, r.Elapsed-(crowding-1)*r.CPU) }

// attempt runs tests as often as they are to be run, or, if it is to give up, until
// a run has failed.
func (t *tester) attempt(ctx context.Context, bin string, names []string, givesUp bool) (attempt, error) {
	a := attempt{names: names, passed: true}
	if len(names) == 0 {
		return a, nil
	}
	first, slow, err := t.first(ctx, bin, names)
	switch {
	case err != nil:
	case slow:
		a, err = t.divided(ctx, bin, names, first)
	case givesUp && !allPass([]testRun{first}, names):
		a.results = []testRun{first}
	default:
		a.results, err = t.repeat(ctx, bin, exactly(names), first)
	}
	a.passed, a.took = err == nil && allPass(a.results, names), longest(a.results)
	if !a.divided {
		a.least, a.slowest = least(a.results), share{names, a.took}
	}
	return a, err
}

// first runs tests once; slow: they were stopped, because they take longer than
// is worth repeating.
func (t *tester) first(ctx context.Context, bin string, names []string) (first testRun, slow bool, err error) {
	o := t.running(bin, exactly(names))
	o.Timeout = min(testsEnough, t.o.TestTimeout)
	r, err := t.exec(ctx, o)
	if err != nil {
		return testRun{}, false, err
	}
	return testRun{r, parseTests(r.Output)}, r.Stop == gotool.TimedOut && t.o.TestTimeout > testsEnough, nil
}

// allPass reports whether tests passed in all of some runs, which ended well.
func allPass(results []testRun, names []string) bool {
	return !slices.ContainsFunc(results, func(r testRun) bool { return !r.clean() || len(r.failing(names)) > 0 })
}

const (
	// groups is how many processes share tests that are slow, parts how many of them
	// there are in all. Such tests sleep, as a rule. Guesses both.
	groups = 8
	parts  = 24
)

// divide shares tests among processes: those that have passed early, in a run that was
// stopped, are quick and stay together; of the others each process has few.
func divide(names []string, early testRun) [][]string {
	slow := early.failing(names)
	quick := without(names, slow)
	shares := make([][]string, min(parts, len(slow)))
	for i, name := range slow {
		shares[i%len(shares)] = append(shares[i%len(shares)], name)
	}
	if len(quick) > 0 {
		shares = append(shares, quick)
	}
	return shares
}

// divided runs tests by several processes side by side, each with a part of them,
// and makes one run of what they say. Where tests fail they may depend on each other,
// or disturb each other: then they have to run in one process, as go test runs them.
// early is a run that was stopped.
func (t *tester) divided(ctx context.Context, bin string, names []string, early testRun) (a attempt, err error) {
	shares := divide(names, early)
	results := make([]testRun, len(shares))
	all := pool.New().WithMaxGoroutines(groups).WithContext(ctx).WithCancelOnError().WithFirstError()
	for i, names := range shares {
		all.Go(func(ctx context.Context) (err error) {
			results[i], err = t.once(ctx, bin, exactly(names))
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return attempt{}, err
	}
	sum := testRun{tests: map[string]string{}}
	if at := slices.IndexFunc(results, func(r testRun) bool { return !r.clean() }); at >= 0 {
		sum.RunResult = results[at].RunResult
	}
	sum.Elapsed, sum.CPU = 0, 0
	for i, r := range results {
		maps.Copy(sum.tests, r.tests)
		sum.Elapsed += r.Elapsed / groups
		sum.CPU += r.CPU
		a.least += r.alone() / groups
		if r.Elapsed > a.slowest.took {
			a.slowest = share{shares[i], r.Elapsed}
		}
	}
	sum.Elapsed, a.least = max(sum.Elapsed, longest(results)), max(a.least, least(results))
	a.names, a.divided, a.results = names, true, []testRun{sum}
	return a, nil
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

// longest is the time of the longest of some runs.
func longest(results []testRun) time.Duration {
	var most time.Duration
	for _, r := range results {
		most = max(most, r.Elapsed)
	}
	return most
}

// split sorts tests into those that pass in all runs and the rest.
func (b *baseline) split(names []string, results []testRun) {
	b.passing, b.clean = slices.Sorted(slices.Values(names)), true
	for _, r := range results {
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
