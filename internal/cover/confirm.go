package cover

import (
	"context"
	"slices"

	"mendel/analysis/evidence"
	"mendel/interleave"
)

const (
	// again is how often a forced failure is repeated.
	again = 5
	// culprits are the iRoots at most that are tried to explain a failure. Guessed.
	culprits = 12
)

// confirm repeats each failure that was forced. Where that shows nothing, and where
// nothing was forced, it looks for what the run has exposed by chance.
func (c *covering) confirm(ctx context.Context) error {
	if c.o.Strategy != Maple {
		return nil
	}
	for i := range c.result.Failures {
		f := &c.result.Failures[i]
		if f.Plain {
			continue
		}
		c.o.Observer.Phase("repeating the failure of %s", f.Test)
		if f.Forced != nil {
			if err := c.repeated(ctx, f); err != nil {
				return err
			}
		}
		if f.FailedAgain == 0 {
			if err := c.explain(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeated counts how often a failure shows when the same is forced again.
func (c *covering) repeated(ctx context.Context, f *Failure) error {
	f.Repeated, f.FailedAgain = 0, 0
	for range again {
		a := c.attempt(ctx, candidate{f.test, f.root}, f.Seed, f.Late)
		if a.err != nil {
			return a.err
		}
		f.Repeated++
		if !a.outcome.Pass {
			f.FailedAgain++
		}
	}
	return nil
}

// explain forces what only the run that failed had exposed. The first that shows the
// failure again takes the place of what was forced.
func (c *covering) explain(ctx context.Context, f *Failure) error {
	for _, r := range f.fresh[:min(len(f.fresh), culprits)] {
		a := c.attempt(ctx, candidate{f.test, r}, f.Seed, false)
		if a.err != nil {
			return a.err
		}
		if !slices.ContainsFunc(a.outcome.Failures, func(g evidence.Failure) bool { return g.Signature == f.Signature }) {
			continue
		}
		f.Forced, f.root, f.Exposed, f.Late = c.root(r), r, a.exposed, false
		return c.repeated(ctx, f)
	}
	return nil
}

// fresh lists what a run exposed, and none before it, the simplest first.
func (c *covering) fresh(l lesson) []interleave.IRoot {
	var list []interleave.IRoot
	for r := range l.exposed {
		if !c.memory.exposed[r] {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, interleave.IRoot.Compare)
	return list
}
