package validate

import (
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/conc/pool"

	"mendel/fitness/noise"
	"mendel/mutate"
)

// A proof is what the last mutant of a validation was put to at once: a noised
// run sleeps most of its time, in which the others get on.
type proof struct {
	confirmed Confirmation
	checked   Checked
	vet       Check
	tests     [2]*trial // without and with the race detector
	cost      *costing
}

// prove puts the present mutant to everything: a full series of noised runs,
// the checker's whole budget, go vet and the tests to be repaired. Then, with
// nothing beside them, to the package's other tests, which may not stand each
// other, and the comparison of costs. The first rejection ends it.
//
// When ctx ends or the environment breaks after the mutant was confirmed by
// noise and by the checker, the fix comes with the error.
func (j *job) prove(ctx context.Context, sum func() (*Fix, error)) (*Fix, error) {
	if known := j.checked[j.mutant.Hash]; known != nil {
		j.confirmed = known.Confirmed
		fix, err := sum()
		fix.Checked, fix.Vet, fix.Tests, fix.Cost = known.Checked, known.Vet, known.Tests, known.Cost
		return fix, err
	}
	tester, remove, err := j.newTester(j.mutant)
	if err != nil {
		return nil, err
	}
	defer remove()
	var p proof
	defer func() { p.cost.close() }()
	err = j.proveAtOnce(ctx, tester, &p)
	var rejected *Rejected
	if errors.As(err, &rejected) || p.confirmed.Runs == 0 || j.o.Checker != nil && p.checked.Verdict == "" {
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
	if fix.Tests, err = tester.finish(ctx, p.tests); err == nil {
		fix.Cost, err = j.cost(ctx, p.cost)
	}
	if errors.As(err, &rejected) {
		return nil, err
	}
	if err == nil {
		j.checked[fix.Mutant.Hash] = fix
	}
	return fix, err
}

// unproved returns what there is at an error: a fix where the checker cannot
// tell and noise has confirmed it in full, as it is without a checker.
func (j *job) unproved(err error, sum func() (*Fix, error)) (*Fix, error) {
	c, known := j.explored[exploration{j.mutant.Hash, false}]
	if !known || c.passed() || j.confirmed.Runs < j.runs() {
		return nil, err
	}
	fix, serr := sum()
	fix.Checked = c
	return fix, errors.Join(err, serr)
}

// proveAtOnce does side by side what does not mind. Each part is confined to
// its own fields of the validator.
func (j *job) proveAtOnce(ctx context.Context, t *tester, p *proof) error {
	all := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	all.Go(func(ctx context.Context) (err error) {
		p.confirmed, err = j.stands(ctx, j.mutant, j.runs())
		return err
	})
	if j.o.Checker != nil {
		all.Go(func(ctx context.Context) (err error) {
			p.checked, err = j.explore(ctx, j.mutant, true)
			return err
		})
	}
	all.Go(func(ctx context.Context) (err error) {
		p.vet, err = j.vet(ctx, j.mutant)
		return err
	})
	for i, race := range []bool{false, true} {
		all.Go(func(ctx context.Context) (err error) {
			p.tests[i], err = t.begin(ctx, race)
			return err
		})
	}
	all.Go(func(ctx context.Context) (err error) {
		p.cost, err = j.prepareCost(ctx, j.mutant)
		return err
	})
	return all.Wait()
}

// A costing is a comparison of costs that has been prepared.
type costing struct {
	original, patched Binary // nil: not worth comparing
}

// prepareCost builds both programs and tries the original as often as a
// comparison would. One that fails more often than that bears is not compared:
// a deadlock costs a time-out each time, and here others make use of it.
func (j *job) prepareCost(ctx context.Context, m *mutate.Mutant) (*costing, error) {
	c := &costing{}
	var err error
	if c.original, err = j.o.Runner.Build(ctx, noise.Plain, nil); err != nil {
		return nil, fmt.Errorf("building to compare costs: %w", err)
	}
	failed := 0
	_, err = c.original.RunMany(ctx, j.o.CostPairs, noise.RunOptions{Quiet: true, Timeout: j.o.Timeout}, func(o noise.Outcome) bool {
		if !o.Pass {
			failed++
		}
		return failed >= costFailures
	})
	if err == nil && failed < costFailures {
		c.patched, err = j.o.Runner.Build(ctx, noise.Plain, m.Files)
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("building to compare costs: %w", err)
	}
	return c, nil
}

func (c *costing) close() {
	if c == nil {
		return
	}
	for _, b := range []Binary{c.original, c.patched} {
		if b != nil {
			b.Close()
		}
	}
}

// cost measures what was prepared.
func (j *job) cost(ctx context.Context, c *costing) (Cost, error) {
	if c.patched == nil {
		return Cost{}, nil
	}
	measured, err := j.measure(ctx, c.original, c.patched)
	return measured.Cost, err
}
