package validate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"mendel/fitness/noise"
)

// A proof has the results of the final checks of a validation. They go on side
// by side: a noised run sleeps most of its time.
type proof struct {
	original, patched *program

	confirmed   Confirmation
	isConfirmed bool // confirmed is made, or was not wanted
	checked     Checked
	vet         Check
	tests       [2]*trial // without and with the race detector
	cost        costing
}

// prove makes all final checks of the present mutant: a full series of noised
// runs, the checker's whole budget, go vet and the tests to be repaired. Then,
// with nothing beside them, it runs the package's other tests, which may disturb
// each other, and measures cost and parallelism. The first rejection ends it.
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
		original: &program{runner: j.o.Runner},
		patched:  &program{runner: j.o.Runner, files: j.mutant.Files},
	}
	defer p.original.close()
	defer p.patched.close()
	tester, remove, err := j.newTester(j.mutant, p.original, p.patched)
	if err != nil {
		return nil, err
	}
	defer remove()
	err = j.proveAtOnce(ctx, tester, &p)
	var rejected *Rejected
	if errors.As(err, &rejected) || !p.isConfirmed || j.o.Checker != nil && p.checked.Verdict == "" {
		return nil, err
	}
	j.o.Log("confirmed by %d runs (%s): %s", p.confirmed.Runs, p.checked, describe(j.mutant.Edits...))
	j.confirmed = p.confirmed
	fix, serr := sum()
	fix.Checked = p.checked
	if err := errors.Join(err, serr); err != nil {
		return fix, err
	}
	fix.Vet = p.vet
	if err := j.measureFix(ctx, tester, &p, fix); err != nil {
		if errors.As(err, &rejected) {
			return nil, err
		}
		return fix, err
	}
	j.checked[fix.Mutant.Hash] = fix
	return fix, nil
}

// measureFix runs and measures what must have the machine to itself.
func (j *job) measureFix(ctx context.Context, t *tester, p *proof, fix *Fix) (err error) {
	if fix.Tests, err = t.finish(ctx, p.tests); err != nil {
		return err
	}
	if fix.Cost, err = j.cost(ctx, p.cost); err != nil {
		return err
	}
	return j.spread(ctx, t, p.tests[0], fix)
}

// adopt copies the results of the same source from another fix.
func (f *Fix) adopt(known *Fix) {
	f.Checked, f.Vet, f.Tests, f.Cost = known.Checked, known.Vet, known.Tests, known.Cost
	f.Parallel, f.Quality.Parallelism = known.Parallel, known.Quality.Parallelism
}

// unproved returns what there is at an error: a fix if the checker cannot tell
// and noise has confirmed it in full, as without a checker.
func (j *job) unproved(err error, sum func() (*Fix, error)) (*Fix, error) {
	c, known := j.explored[exploration{j.mutant.Hash, false}]
	if !known || c.passed() || j.confirmed.Runs < j.runs() {
		return nil, err
	}
	fix, serr := sum()
	fix.Checked = c
	return fix, errors.Join(err, serr)
}

// proveAtOnce makes the checks that do not disturb each other side by side. Each
// uses fields of the validator that no other uses.
func (j *job) proveAtOnce(ctx context.Context, t *tester, p *proof) error {
	all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	began := time.Now()
	part := func(name string, do func(ctx context.Context) error) {
		all.Go(func(ctx context.Context) error {
			err := do(ctx)
			j.o.Log("proof: %s, after %.1f s", name, time.Since(began).Seconds())
			return err
		})
	}
	begun := make(chan struct{})
	part("noised runs", func(ctx context.Context) (err error) {
		p.confirmed, err = j.confirmLast(ctx, sync.OnceFunc(func() { close(begun) }))
		p.isConfirmed = err == nil
		return err
	})
	if j.o.Checker != nil {
		part("checker", func(ctx context.Context) (err error) {
			p.checked, err = j.explore(ctx, j.mutant, true)
			return err
		})
	}
	// What takes longest is built first; the rest goes on while it runs and sleeps.
	select {
	case <-begun:
	case <-ctx.Done():
	}
	part("go vet", func(ctx context.Context) (err error) {
		p.vet, err = j.vet(ctx, j.mutant)
		return err
	})
	for i, name := range []string{"tests", "tests with -race"} {
		part(name, func(ctx context.Context) (err error) {
			p.tests[i], err = t.begin(ctx, i == 1)
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
		return false
	})
	if err != nil {
		return c, fmt.Errorf("comparing costs: %w", err)
	}
	limit := max(costLimitFactor*longest, minCostLimit)
	if j.o.Timeout > 0 {
		limit = min(limit, j.o.Timeout)
	}
	if c.original, err = original.build(ctx); err != nil {
		return c, err
	}
	failed := 0
	_, err = c.original.RunMany(ctx, j.o.CostPairs, noise.RunOptions{Quiet: true, Timeout: limit}, func(o noise.Outcome) bool {
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
	if c.limit == 0 {
		return Cost{}, nil
	}
	measured, err := j.measure(ctx, c.original, c.patched, c.limit)
	return measured.Cost, err
}
