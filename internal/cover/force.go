package cover

import (
	"context"
	"slices"
	"sync"
	"time"

	"mendel/fitness/noise"
	"mendel/interleave"
)

// Goroutines are held for at most so long in a run, beyond the time for which
// nothing else can go on. The upper bound is the paper's; the others are guessed.
const (
	leastPatience  = 300 * time.Millisecond
	mostPatience   = 5 * time.Second
	patienceFactor = 3 // times what the test takes
)

// A candidate is an interleaving that is to be forced.
type candidate struct {
	test  *test
	root  interleave.IRoot
	tries int
}

// An attempt is what one run with a candidate did.
type attempt struct {
	candidate *candidate
	seed      uint64
	late      bool
	outcome   noise.Outcome
	exposed   bool
	seen      interleave.Set
	err       error
}

// candidates are the predicted interleavings that no run has exposed: idiom by
// idiom, those of the program before those of its tests.
func (c *covering) candidates() []*candidate {
	var list []*candidate
	for _, t := range c.tests {
		for r := range t.predicted {
			if !t.exposed[r] {
				list = append(list, &candidate{test: t, root: r})
			}
		}
	}
	slices.SortFunc(list, func(a, b *candidate) int {
		if d := a.root.Idiom - b.root.Idiom; d != 0 {
			return d
		}
		if d := c.inTests(a.root) - c.inTests(b.root); d != 0 {
			return d
		}
		if d := a.root.Compare(b.root); d != 0 {
			return d
		}
		return slices.Index(c.tests, a.test) - slices.Index(c.tests, b.test)
	})
	return list
}

// inTests counts the ends of an iRoot that are in test files.
func (c *covering) inTests(r interleave.IRoot) (n int) {
	for _, e := range r.Ends[:r.Len()] {
		if c.hooked.Sites[e.Site-1].Test {
			n++
		}
	}
	return n
}

// force forces what is left, a few runs at a time, in the order of the candidates.
func (c *covering) force(ctx context.Context) error {
	list := c.candidates()
	for n := 0; n < attempts && len(list) > 0; n++ {
		c.o.Observer.Phase("forcing %d interleavings, attempt %d", len(list), n+1)
		for at := 0; at < len(list) && !c.over(); at += c.o.Workers {
			var batch []*candidate
			for _, k := range list[at:min(at+c.o.Workers, len(list))] {
				if !k.test.exposed[k.root] {
					batch = append(batch, k)
				}
			}
			for _, a := range c.try(ctx, batch, n) {
				if a.err != nil {
					return a.err
				}
				c.note(a)
			}
		}
	}
	return c.confirm(ctx)
}

// try forces several candidates at a time. A second attempt is the complement of the
// first: goroutines begin late.
func (c *covering) try(ctx context.Context, batch []*candidate, n int) []attempt {
	attempts := make([]attempt, len(batch))
	var wg sync.WaitGroup
	for i, k := range batch {
		wg.Go(func() { attempts[i] = c.attempt(ctx, k, c.o.Seed+uint64(n), n%2 == 1) })
	}
	wg.Wait()
	return attempts
}

// attempt forces one candidate in one run.
func (c *covering) attempt(ctx context.Context, k *candidate, seed uint64, late bool) attempt {
	a := attempt{candidate: k, seed: seed, late: late}
	s := k.root.Script(seed, late)
	patience := min(max(patienceFactor*k.test.slowest, leastPatience), mostPatience)
	s.Patience = uint64(patience / time.Millisecond)
	o := noise.RunOptions{Quiet: true, Seed: seed, Run: k.test.pattern, Timeout: 10*k.test.slowest + 2*patience + 2*time.Second}
	outcome, trace, err := c.once(ctx, o, s)
	if err != nil {
		a.err = err
		return a
	}
	a.outcome, a.exposed, a.seen = outcome, trace.Exposed, interleave.Observe(trace)
	return a
}

// note takes over what an attempt showed.
func (c *covering) note(a attempt) {
	k := a.candidate
	k.tries++
	t := k.test
	t.Forced++
	c.runs++
	t.tried(k.root)
	t.exposed.Add(a.seen)
	if a.exposed {
		t.exposed[k.root] = true
		t.predicted[k.root] = true
	}
	t.Growth = append(t.Growth, len(t.exposed))
	for _, f := range a.outcome.Failures {
		if t.failed[f.Signature] {
			continue
		}
		t.failed[f.Signature] = true
		c.result.Failures = append(c.result.Failures, Failure{
			Failure: f, Test: t.Name, Run: c.runs, Forced: c.root(k.root), Exposed: a.exposed, Seed: a.seed, Late: a.late, root: k.root, test: t,
		})
	}
}

// again is how often a forced failure is repeated.
const again = 5

// confirm repeats each forced failure.
func (c *covering) confirm(ctx context.Context) error {
	for i := range c.result.Failures {
		f := &c.result.Failures[i]
		if f.Forced == nil {
			continue
		}
		c.o.Observer.Phase("repeating the failure of %s", f.Test)
		for range again {
			a := c.attempt(ctx, &candidate{test: f.test, root: f.root}, f.Seed, f.Late)
			if a.err != nil {
				return a.err
			}
			f.Repeated++
			if !a.outcome.Pass {
				f.FailedAgain++
			}
		}
	}
	return nil
}
