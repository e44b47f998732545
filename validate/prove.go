package validate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"mendel/fitness/noise"
	"mendel/mutate"
)

// A proof has the results of the final checks of a validation. They go on side
// by side: a noised run sleeps most of its time.
type proof struct {
	original, patched *program

	confirmed   Confirmation
	isConfirmed bool // confirmed is made, as far as ctx allowed, or was not wanted
	checked     Checked
	forced      Saturation
	scenarios   Scenarios
	tried       bool // scenarios is made
	vet         Check
	tests       [2]*trial // without and with the race detector
	cost        costing
}

// prove makes all final checks of the present mutant: a full series of noised
// runs, the checker's whole budget, go vet and the tests to be repaired. Then,
// with nothing beside them, it runs the package's other tests, as far as they have
// not passed already, and measures cost and parallelism. The first rejection ends it.
//
// When ctx ends or the environment breaks after the mutant was confirmed by
// noise and by the checker, the fix comes with the error.
func (j *job) prove(ctx context.Context, sum func() (*Fix, error)) (*Fix, error) {
	if known := j.checked[j.mutant.Hash]; known != nil {
		j.confirmed = known.Confirmed
		fix, err := sum()
		fix.adopt(known)
		return fix, err
	}
	p := proof{
		original: j.rehearsal.program(j.o.Runner),
		patched:  &program{runner: j.o.Runner, files: j.mutant.Files},
	}
	defer p.original.close()
	defer p.patched.close()
	tester, remove, err := j.newTester(j.mutant, p.original, p.patched)
	if err != nil {
		return nil, err
	}
	defer remove()
	believed := j.believed()
	err = j.proveAtOnce(ctx, tester, &p, j.full(believed))
	j.watch.lap("proof")
	if err == nil && believed && !p.checked.passed() {
		err = j.confirmMore(ctx, &p)
		j.watch.lap("confirming")
	}
	if tests, ok := tester.finished(p.tests, p.delayed()); ok {
		j.tested[j.mutant.Hash] = tests
	}
	var rejected *Rejected
	unchecked := j.o.Checker != nil && p.checked.Verdict == ""
	if errors.As(err, &rejected) || !p.isConfirmed || unchecked && !believed {
		return nil, err
	}
	j.o.Log("confirmed by %d runs (%s): %s", p.confirmed.Runs, p.checked, describe(j.mutant.Edits...))
	j.confirmed = p.confirmed
	fix, serr := sum()
	fix.Checked, fix.Forced = p.checked, p.forced
	if len(fix.Checked.Still)+len(fix.Confirmed.Still) > 0 {
		fix.flag(mutate.StillFails)
	}
	fix.take(p.scenarios)
	if p.vet.Verdict != "" {
		fix.Vet = p.vet
	}
	if err := errors.Join(err, serr); err != nil {
		if !p.tried && j.o.Scenarios != nil {
			fix.Quality.Scenarios.Detail = stoppedBefore
		}
		if tests, known := j.tested[fix.Mutant.Hash]; known {
			fix.Tests = tests
		}
		return fix, err
	}
	if err := j.measureFix(ctx, tester, &p, fix); err != nil {
		if errors.As(err, &rejected) {
			return nil, err
		}
		return fix, err
	}
	j.checked[fix.Mutant.Hash] = fix
	return fix, nil
}

// confirmMore makes the runs that noise alone needs to confirm the present mutant:
// the checker's whole budget has brought no verdict, though a part of it had.
func (j *job) confirmMore(ctx context.Context, p *proof) error {
	q := j.full(false)
	more, err := j.confirmOnce(ctx, j.mutant, q)
	if err == nil || more.Runs > p.confirmed.Runs {
		p.confirmed = more
	} else {
		p.confirmed.Wanted = q.wanted()
	}
	return err
}

// measureFix runs and measures what must have the machine to itself.
func (j *job) measureFix(ctx context.Context, t *tester, p *proof, fix *Fix) error {
	tests, known := j.tested[fix.Mutant.Hash]
	if !known || len(p.delayed()) > 0 {
		var err error
		tests, err = t.finish(ctx, p.tests, p.delayed())
		j.watch.lap("other tests")
		if err != nil {
			return err // the tests stay skipped
		}
		j.tested[fix.Mutant.Hash] = tests
	}
	fix.Tests = tests
	j.o.Validated(fix.Mutant)
	defer j.watch.lap("cost")
	defer j.rehearsal.pause(true)()
	var err error
	if fix.Cost, err = j.cost(ctx, p.cost); err != nil {
		return err
	}
	return j.spread(ctx, t, p.tests[0], fix)
}

// delayed are the tests that depend on time and have failed under noise.
func (p *proof) delayed() []string { return slices.Collect(maps.Keys(p.confirmed.Delayed)) }

// adopt copies the results of the same source from another fix.
func (f *Fix) adopt(known *Fix) {
	f.Forced = known.Forced
	f.take(known.Quality.Scenarios)
	f.Checked, f.Vet, f.Tests, f.Cost = known.Checked, known.Vet, known.Tests, known.Cost
	f.Parallel, f.Quality.Parallelism = known.Parallel, known.Quality.Parallelism
}

// unproved returns what there is when the reduction ends with an error: no fix if
// the checker has not been asked or its whole budget is still to be spent.
func (j *job) unproved(err error, sum func() (*Fix, error)) (*Fix, error) {
	if j.o.Checker == nil {
		return j.stopped(err, sum)
	}
	c, known := j.explored[exploration{j.mutant.Hash, false}]
	if !known || c.passed() {
		return nil, err
	}
	fix, err := j.stopped(err, sum)
	if fix != nil {
		fix.Checked = c
	}
	return fix, err
}

// stopped returns what there is at an error: a fix if noise has confirmed it, if
// only by some of the runs that were to be made.
func (j *job) stopped(err error, sum func() (*Fix, error)) (*Fix, error) {
	if j.confirmed.Runs < slowFloor {
		return nil, err
	}
	if q := j.full(false); j.confirmed.Wanted == 0 && !q.confirms(j.confirmed) {
		j.confirmed.Wanted = q.wanted()
	}
	fix, serr := sum()
	return fix, errors.Join(err, serr)
}

// proveAtOnce makes the checks that do not disturb each other side by side. Each
// uses fields of the validator that no other uses.
func (j *job) proveAtOnce(ctx context.Context, t *tester, p *proof, q quota) error {
	all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	began := time.Now()
	part := func(name string, do func(ctx context.Context) error) {
		all.Go(func(ctx context.Context) error {
			err := do(ctx)
			j.o.Log("proof: %s, after %.1f s", name, time.Since(began).Seconds())
			return err
		})
	}
	part("go vet", func(ctx context.Context) (err error) {
		p.vet, err = j.vet(ctx, j.mutant)
		return err
	})
	// The package's own tests say most in the least time, and what fails there saves the rest.
	_, known := j.tested[j.mutant.Hash]
	var built sync.WaitGroup
	for i, name := range []string{"tests", "tests with -race"} {
		built.Add(1)
		part(name, func(ctx context.Context) (err error) {
			if p.tests[i], err = t.begin(ctx, i == 1, sync.OnceFunc(built.Done)); err != nil {
				return err
			}
			if known {
				return nil
			}
			return t.early(ctx, p.tests[i])
		})
	}
	part("noised runs", func(ctx context.Context) (err error) {
		p.confirmed, err = j.confirmLast(ctx, q)
		p.isConfirmed = err == nil || p.confirmed.Runs > 0
		return err
	})
	built.Wait() // what is built for the others would only hold up the tests
	if j.o.Checker != nil {
		part("checker", func(ctx context.Context) (err error) {
			p.checked, err = j.explore(ctx, j.mutant, true)
			return err
		})
	}
	if j.o.Saturate != nil {
		part("forced interleavings", func(ctx context.Context) (err error) {
			p.forced, err = j.saturate(ctx)
			return err
		})
	}
	if j.o.Scenarios != nil {
		part("scenarios", func(ctx context.Context) (err error) {
			p.scenarios, err = j.tryScenarios(ctx)
			p.tried = err == nil
			j.o.Log("scenarios: %s", p.scenarios)
			return err
		})
	}
	part("costs to be compared", func(ctx context.Context) (err error) {
		p.cost, err = j.prepareCost(ctx, p.original, p.patched)
		return err
	})
	return all.Wait()
}

// A costing is a comparison of costs that has been prepared.
type costing struct {
	original, patched Binary
	limit             time.Duration // of a run; 0: not worth comparing
	slow              time.Duration // what a run takes, if that is too slow for a comparison
}

const (
	// A run of the original that takes so many times as long as the patched
	// program's longest, and so long, counts as failed: it is a deadlock as a rule.
	costLimitFactor = 20
	minCostLimit    = 250 * time.Millisecond
)

// prepareCost builds both programs and runs the original as often as a comparison
// would. One that fails too often is not compared: each deadlock costs a time-out.
// Here that time is not lost, because other checks go on.
func (j *job) prepareCost(ctx context.Context, original, patched *program) (c costing, err error) {
	if c.patched, err = patched.build(ctx); err != nil {
		return c, err
	}
	var longest time.Duration
	_, err = c.patched.RunMany(ctx, 3, noise.RunOptions{Quiet: true, Timeout: j.o.Timeout}, func(o noise.Outcome) bool {
		longest = max(longest, o.Elapsed)
		return longest > slowest
	})
	if err != nil {
		return c, fmt.Errorf("comparing costs: %w", err)
	}
	if longest > slowest {
		c.slow = longest
		return c, nil
	}
	limit := max(costLimitFactor*longest, minCostLimit)
	if j.o.Timeout > 0 {
		limit = min(limit, j.o.Timeout)
	}
	if c.original, err = original.build(ctx); err != nil {
		return c, err
	}
	failed := 0
	n := min(j.o.CostPairs, max(costFailures, int(costTime/max(2*longest, 1))))
	_, err = c.original.RunMany(ctx, n, noise.RunOptions{Quiet: true, Timeout: limit}, func(o noise.Outcome) bool {
		if !o.Pass {
			failed++
		}
		return failed >= costFailures
	})
	if err != nil {
		return c, fmt.Errorf("comparing costs: %w", err)
	}
	if failed < costFailures {
		c.limit = limit
	}
	return c, nil
}

// cost measures what was prepared.
func (j *job) cost(ctx context.Context, c costing) (Cost, error) {
	slow := c.slow
	var measured comparison
	if c.limit > 0 {
		var err error
		if measured, slow, err = j.measure(ctx, c.original, c.patched, c.limit); err != nil {
			return Cost{}, err
		}
	}
	if slow > slowest {
		return Cost{Detail: fmt.Sprintf("a run takes %.1f s", slow.Seconds())}, nil
	}
	return measured.Cost, nil
}
