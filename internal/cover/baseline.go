package cover

import (
	"context"
	"fmt"
	"sync"

	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/hook"
)

// Strategies of runs with the real scheduler. All but maple force nothing: they are
// there to compare it with.
const (
	Maple  = "maple"  // predicts interleavings and forces them
	Noise  = "noise"  // random noise at synchronisation and shared variables, as in a repair
	Delay  = "delay"  // random delays at a few accesses to shared locations: the paper's RandDelay
	Stress = "stress" // the tests as they are, without hooks and race detector
)

// Strategies are all of them.
var Strategies = []string{Maple, Noise, Delay, Stress}

// delaysEach is how many accesses are delayed in a run, on the average. The paper
// delays one in 50,000 accesses, of which those to shared locations are a few. Guessed.
const delaysEach = 8

// recording reports whether the tests run with hooks that record.
func (c *covering) recording() bool { return c.o.Strategy == Maple || c.o.Strategy == Delay }

// used reports whether a test has had all its runs.
func (c *covering) used(t *test) bool { return c.o.Runs > 0 && t.Profiled+t.Forced >= c.o.Runs }

// baseline runs the tests with a strategy that forces nothing. Delays are as many as
// the length of a run says.
func (c *covering) baseline(ctx context.Context) error {
	if c.o.Strategy == Delay {
		for _, t := range c.tests {
			if _, err := c.profile(ctx, t); err != nil {
				return err
			}
		}
	}
	_, err := c.repeat(ctx)
	return err
}

// A repetition is one run that forces nothing.
type repetition struct {
	test    *test
	seed    uint64
	outcome noise.Outcome
	lesson  lesson
	err     error
}

// repeat runs the tests in turn without forcing anything, as many at a time as there are
// workers. With Maple it ends when that predicts something, and reports it.
func (c *covering) repeat(ctx context.Context) (more bool, err error) {
	for next := 0; !c.over() && !more; {
		var list []repetition
		for range len(c.tests) {
			t := c.tests[next%len(c.tests)]
			next++
			if !c.used(t) && len(list) < c.o.Workers {
				t.Profiled++
				list = append(list, repetition{test: t, seed: c.o.Seed + uint64(t.Profiled) - 1})
			}
		}
		if len(list) == 0 {
			return false, nil
		}
		var wg sync.WaitGroup
		for i := range list {
			wg.Go(func() { c.repetition(ctx, &list[i]) })
		}
		wg.Wait()
		for _, r := range list {
			if r.err != nil {
				return false, r.err
			}
			fresh := c.fresh(r.lesson)
			more = c.learn(r.test, r.lesson) && c.o.Strategy == Maple || more
			c.failures(r.test, r.outcome, Failure{Plain: c.o.Strategy == Stress, Seed: r.seed, test: r.test, fresh: fresh})
		}
		c.tell("running the tests")
	}
	return more, nil
}

// repetition makes one run that forces nothing.
func (c *covering) repetition(ctx context.Context, r *repetition) {
	o := noise.RunOptions{Seed: r.seed, Quiet: c.o.Strategy == Delay || c.o.Strategy == Stress, Run: r.test.pattern}
	if c.o.Strategy == Delay {
		o.Env = []string{fmt.Sprintf("%s=%d %d", hook.DelayEnv, r.seed, max(1, r.test.Events/delaysEach))}
	}
	var trace interleave.Trace
	r.outcome, trace, r.err = c.once(ctx, o, hook.Script{})
	if r.err == nil && c.recording() {
		r.lesson = learnt(trace)
	}
}
