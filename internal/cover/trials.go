package cover

import (
	"context"
	"slices"
	"time"

	"mendel/analysis/evidence"
)

// TrialOptions say what to try. Out, First and Rest of Options do not count: nothing is
// kept, and each trial ends with the first failure that is wanted, or the budget or the
// runs are spent (Rest).
type TrialOptions struct {
	Options
	Seeds       int                         // positive
	LeakProfile bool                        // build with the runtime's leak profile, as noise.Config has it
	Wanted      func(evidence.Failure) bool // failures that are looked for; nil: all
}

// A Trial is what the runs with one seed have shown.
type Trial struct {
	Runs    int               // up to the failure that is looked for, with it; of all if there is none
	Failure *evidence.Failure // nil: none
	Idiom   int               // that was forced then; 0: nothing was
	Seconds float64           // for the runs
}

// Trials makes the runs of [Run] with several seeds, each as if there had been no other,
// with one build. Budget and Runs are those of each. When the error is not nil, the trials
// that have ended come with it. It is for tests that cannot be run at all.
func Trials(ctx context.Context, o TrialOptions) ([]Trial, error) {
	o.Options = o.withDefaults()
	o.Out, o.First, o.Rest = "", true, true
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &covering{o: o.Options, result: newResult(o.Options), leaks: o.LeakProfile, wanted: o.Wanted}
	var trials []Trial
	err := c.prepared(ctx, func() error {
		for i := range o.Seeds {
			t, err := c.trial(ctx, o.Seed+uint64(i)*seedStep)
			if err != nil {
				return err
			}
			trials = append(trials, t)
		}
		return nil
	})
	return trials, err
}

// seedStep keeps the seeds of the runs of two trials apart.
const seedStep = 1 << 32

// trial makes the runs with one seed. What is built is shared; what is learnt is not.
func (c *covering) trial(ctx context.Context, seed uint64) (Trial, error) {
	one := &covering{
		o: c.o, result: newResult(c.o), tool: c.tool, program: c.program, narrow: c.narrow, hooked: c.hooked,
		harness: c.harness, binary: c.binary, dir: c.dir, wanted: c.wanted,
	}
	one.o.Seed = seed
	one.result.Target = c.result.Target
	one.tests = one.testsOf()
	if err := one.remember(); err != nil {
		return Trial{}, err
	}
	began := time.Now()
	one.end = began.Add(one.o.Budget)
	if err := one.search(ctx); err != nil {
		return Trial{}, err
	}
	t := Trial{Runs: one.runs, Seconds: time.Since(began).Seconds()}
	if i := slices.IndexFunc(one.result.Failures, one.isWanted); i >= 0 {
		f := &one.result.Failures[i]
		t.Runs, t.Failure = f.Run, &f.Failure
		if f.Forced != nil {
			t.Idiom = f.Forced.Idiom
		}
	}
	return t, nil
}
