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

// confirm repeats each failure that was forced. Where that does not show it each time,
// and where nothing was forced, it looks for what else the run has exposed: of two ends
// in critical sections of one lock, it depends on who comes first whether they can be
// forced, and forcing the locks does not.
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
		if f.FailedAgain < again {
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

// explain forces what only the run that failed had exposed. What shows the failure more
// often takes the place of what was forced, for later runs of the command, too.
func (c *covering) explain(ctx context.Context, f *Failure) error {
	was := f.root
	for _, r := range f.fresh[:min(len(f.fresh), culprits)] {
		if r == was {
			continue
		}
		a := c.attempt(ctx, candidate{f.test, r}, f.Seed, false)
		if a.err != nil {
			return a.err
		}
		if !slices.ContainsFunc(a.outcome.Failures, func(g evidence.Failure) bool { return g.Signature == f.Signature }) {
			continue
		}
		other := *f
		other.Forced, other.root, other.Exposed, other.Late = c.root(r), r, a.exposed, false
		if err := c.repeated(ctx, &other); err != nil {
			return err
		}
		if f.Forced == nil || other.FailedAgain > f.FailedAgain {
			*f = other
		}
		if f.FailedAgain == again {
			break
		}
	}
	c.standsFor(was, f)
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
