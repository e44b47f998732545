package validate

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/conc/pool"

	"mendel/internal/gotool"
)

// A baseline is what the original's other tests do without the patch.
type baseline struct {
	passing []string // in every run, sorted
	ignored []string // the rest, sorted
	clean   bool     // the process ended well in every run
}

// others runs on the patched program the tests that pass on the original, and
// says how long a run took. As long as all of them pass, the original need not be
// asked which ones it passes.
func (t *tester) others(ctx context.Context, patched string, race bool, names []string) (*baseline, time.Duration, error) {
	if len(names) == 0 {
		return &baseline{}, 0, nil
	}
	b := t.baselines[race]
	var results []testRun // with the tests that have to pass; nil: none yet
	if b == nil {
		if passed, wall, err := t.divided(ctx, patched, names); err != nil {
			return nil, 0, err
		} else if passed {
			return &baseline{passing: slices.Sorted(slices.Values(names)), clean: true}, wall, nil
		}
		var err error
		if results, err = t.repeat(ctx, patched, exactly(names)); err != nil {
			return nil, 0, err
		}
		all := &baseline{}
		if all.split(names, results); all.clean && len(all.ignored) == 0 {
			return all, longest(results), nil
		}
		if b, err = t.baseline(ctx, race, names); err != nil {
			return nil, 0, err
		}
		if len(b.ignored) > 0 {
			results = nil // others may have hidden what has to pass
		}
	}
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

// groups is how many processes share tests that are slow. Such tests sleep, as a
// rule. Guessed.
const groups = 8

// divided reports whether some tests are slow, but pass if several processes, each
// with a part of them, run side by side; wall is how long that took. Where it fails
// the tests may depend on each other, or disturb each other: then they have to run
// in one process, as go test runs them.
func (t *tester) divided(ctx context.Context, bin string, names []string) (passed bool, wall time.Duration, err error) {
	o := t.running(bin, exactly(names))
	o.Timeout = testsEnough
	first, err := t.exec(ctx, o)
	if err != nil || first.Stop != gotool.TimedOut || t.o.TestTimeout <= testsEnough {
		return false, 0, err
	}
	parts := make([][]string, min(groups, len(names)))
	for i, name := range names {
		parts[i%len(parts)] = append(parts[i%len(parts)], name)
	}
	results := make([]testRun, len(parts))
	all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	for i, part := range parts {
		all.Go(func(ctx context.Context) (err error) {
			results[i], err = t.once(ctx, bin, exactly(part))
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return false, 0, err
	}
	for i, r := range results {
		if !r.clean() || len(r.failing(parts[i])) > 0 {
			return false, 0, nil
		}
	}
	return true, longest(results), nil
}

// blame reports whether tests that the original passes have passed. It rejects the
// patch for one that failed, unless that fails on the original, too: then it
// counts as ignored from now on.
func (t *tester) blame(ctx context.Context, race bool, b *baseline, results []testRun) (bool, error) {
	at := slices.IndexFunc(results, func(r testRun) bool {
		return len(r.failing(b.passing)) > 0 || b.clean && !r.clean()
	})
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
	original, err := t.build(ctx, "original", race, t.original)
	if err != nil {
		return nil, err
	}
	results, err := t.repeat(ctx, original, exactly(names))
	if err != nil {
		return nil, err
	}
	b := &baseline{}
	b.split(names, results)
	t.baselines[race] = b
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

// ignore moves tests from the passing to the ignored.
func (b *baseline) ignore(names []string) {
	b.passing = slices.DeleteFunc(slices.Clone(b.passing), func(n string) bool { return slices.Contains(names, n) })
	b.ignored = append(b.ignored, names...)
	slices.Sort(b.ignored)
}

// flaky returns those of some tests that fail on the original too when it is run
// more often.
func (t *tester) flaky(ctx context.Context, race bool, names []string) ([]string, error) {
	original, err := t.build(ctx, "original", race, t.original)
	if err != nil {
		return nil, err
	}
	bad := map[string]bool{}
	var spent time.Duration
	for range blameRuns {
		r, err := t.once(ctx, original, exactly(names))
		if err != nil {
			return nil, err
		}
		for _, name := range r.failing(names) {
			bad[name] = true
		}
		if spent += r.Elapsed; spent > testsEnough {
			break
		}
	}
	return slices.Sorted(maps.Keys(bad)), nil
}
