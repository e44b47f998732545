package cover

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"mendel/fitness/noise"
	"mendel/interleave/hook"
)

// A Usage is what a run of the tests takes.
type Usage struct {
	Elapsed time.Duration
	CPU     time.Duration // user and system; 0 where it is not known
}

// An Overhead is what it costs to profile the tests of a package.
type Overhead struct {
	Plain    []Usage // runs with the race detector, as go test -race
	Profiled []Usage // runs with hooks that record, too
	Events   int     // of the longest profiled run
	Lost     int     // events that did not fit into its log
	// Predict is the time to conclude what that run exposed and predicts, Allocated the
	// memory for it, in bytes: more than it has at a time.
	Predict   time.Duration
	Allocated uint64
}

// MeasureOverhead runs all tests of a package in turns plainly and profiled, each
// rounds times, all tests in one process. Runs that fail count as well: what fails are
// tests that measure time or memory, as a rule.
func MeasureOverhead(ctx context.Context, o Options, rounds int) (Overhead, error) {
	o = o.withDefaults()
	o.Out, o.Strategy = "", Maple
	if err := o.check(); err != nil {
		return Overhead{}, err
	}
	c := &covering{o: o, result: newResult(o)}
	var cost Overhead
	err := c.prepared(ctx, func() (err error) {
		plain, err := c.harness.Build(ctx, noise.Raced, nil)
		if err != nil {
			return fmt.Errorf("build the tests without hooks: %w", err)
		}
		defer func() { err = errors.Join(err, plain.Close()) }()
		for range rounds {
			outcome, err := c.harness.Run(ctx, plain, noise.RunOptions{Quiet: true})
			if err != nil {
				return err
			}
			cost.Plain = append(cost.Plain, usage(outcome))
			if err := c.measure(ctx, &cost); err != nil {
				return err
			}
		}
		return nil
	})
	return cost, err
}

// measure makes a profiled run.
func (c *covering) measure(ctx context.Context, cost *Overhead) error {
	outcome, trace, err := c.once(ctx, noise.RunOptions{Quiet: true}, hook.Script{})
	if err != nil {
		return err
	}
	cost.Profiled = append(cost.Profiled, usage(outcome))
	if len(trace.Events) > cost.Events {
		began, before := time.Now(), allocated()
		learnt(trace)
		cost.Events, cost.Lost, cost.Predict, cost.Allocated = len(trace.Events), trace.Lost, time.Since(began), allocated()-before
	}
	return nil
}

func usage(o noise.Outcome) Usage { return Usage{o.Elapsed, o.CPU} }

// allocated is what this process has allocated so far, in bytes.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
