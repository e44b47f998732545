package validate

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sourcegraph/conc/pool"

	"mendel/internal/gotool"
)

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

// raceTime is how long slow tests may take under the race detector, half of the time that is
// left at most: what has not ended then is left out, and the fix says so. Guessed.
const raceTime = 40 * time.Second

// patience is how long slow tests may take.
func (t *tester) patience(ctx context.Context, race bool) time.Duration {
	if !race {
		return parts * t.o.TestTimeout
	}
	deadline, limited := ctx.Deadline()
	if !limited {
		return raceTime
	}
	return min(raceTime, time.Until(deadline)/2)
}

// divided runs tests by several processes side by side, each with a part of them,
// and makes one run of what they say. Where tests fail they may depend on each other,
// or disturb each other: then they have to run in one process, as go test runs them.
// early is a run that was stopped.
func (t *tester) divided(ctx context.Context, tr *trial, names []string, early testRun) (attempt, error) {
	shares := divide(names, early)
	results := make([]testRun, len(shares))
	a := attempt{names: names, divided: true, waited: t.patience(ctx, tr.race)}
	until := time.Now().Add(a.waited)
	all := pool.New().WithMaxGoroutines(groups).WithContext(ctx).WithCancelOnError().WithFirstError()
	for i, names := range shares {
		all.Go(func(ctx context.Context) (err error) {
			left := time.Until(until)
			if left <= 0 {
				results[i].Stop = gotool.TimedOut
				return nil
			}
			results[i], err = t.within(ctx, tr, names, min(left, t.o.TestTimeout))
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return attempt{}, err
	}
	sum := testRun{tests: map[string]string{}}
	for i, r := range results {
		maps.Copy(sum.tests, r.tests)
		due := shares[i]
		if tr.race && r.Stop == gotool.TimedOut && r.late == "" && !r.blocked() {
			late := r.unended(due)
			a.late = append(a.late, late...)
			if due = without(due, late); len(r.failing(due)) == 0 {
				continue
			}
		}
		if allPass([]testRun{r}, due) {
			continue
		}
		a.failed, a.broken = append(a.failed, due), append(a.broken, r)
		if sum.clean() {
			sum.RunResult = r.RunResult
		}
	}
	sum.Elapsed = longest(results)
	slices.Sort(a.late)
	a.results = []testRun{sum}
	return a, nil
}

// longest is the time of the longest of some runs.
func longest(results []testRun) time.Duration {
	var most time.Duration
	for _, r := range results {
		most = max(most, r.Elapsed)
	}
	return most
}

// settle decides on tests that several processes have run under the race detector. What has
// failed may have failed for want of the tests before it, or only beside others: it is run again
// by itself, and asked of the original. So is what has failed on the original beside others, and
// was not run.
func (t *tester) settle(ctx context.Context, tr *trial, names []string, a attempt) (*baseline, []string, error) {
	sum := &baseline{passing: slices.Sorted(slices.Values(without(names, a.late))), clean: true}
	again := slices.Clone(a.failed)
	if rest := without(names, a.names); len(rest) > 0 {
		again = append(again, rest)
	}
	for _, names := range again {
		b, err := t.ask(ctx, true, names, false)
		if err == nil {
			b, err = t.insist(ctx, tr, b, nil)
		}
		if err != nil {
			return nil, nil, err
		}
		sum.ignore(b.ignored)
	}
	return sum, a.late, nil
}
