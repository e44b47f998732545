package cover

import (
	"cmp"
	"context"
	"slices"
	"strings"
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
	test *test
	root interleave.IRoot
}

// An attempt is what one run with a candidate did.
type attempt struct {
	candidate
	seed    uint64
	late    bool
	outcome noise.Outcome
	exposed bool
	lesson  lesson
	err     error
}

// candidates are the next interleavings to be forced, as many as there are workers.
// All are tried once before any is a second time. Otherwise idioms come in their
// order, and places of the program before those of its tests.
func (c *covering) candidates() []candidate {
	var best []candidate
	for _, t := range c.tests {
		if c.used(t) {
			continue
		}
		for r := range t.predicted {
			if c.focus != nil && !c.focus(r) {
				continue
			}
			if c.memory.exposed[r] || t.attempts[r] >= attempts || c.memory.tries[r] >= attemptsInAll {
				continue
			}
			k := candidate{t, r}
			at, _ := slices.BinarySearchFunc(best, k, c.compare)
			if at < c.o.Workers {
				best = slices.Insert(best, at, k)
				best = best[:min(len(best), c.o.Workers)]
			}
		}
	}
	return best
}

func (c *covering) compare(a, b candidate) int {
	return cmp.Or(
		c.memory.tries[a.root]-c.memory.tries[b.root],
		a.root.Idiom-b.root.Idiom,
		c.inTests(a.root)-c.inTests(b.root),
		a.root.Compare(b.root),
		strings.Compare(a.test.Name, b.test.Name),
	)
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

// force forces candidates, each in a run of its own. The second attempt at one is the
// complement of the first: goroutines begin late.
func (c *covering) force(ctx context.Context, list []candidate) error {
	tried := make([]attempt, len(list))
	var wg sync.WaitGroup
	for i, k := range list {
		n := c.memory.tries[k.root]
		wg.Go(func() { tried[i] = c.attempt(ctx, k, c.o.Seed+uint64(n), n%2 == 1) })
	}
	wg.Wait()
	for _, a := range tried {
		if a.err != nil {
			return a.err
		}
		c.note(a)
	}
	if c.tell("forcing interleavings") {
		return c.keep()
	}
	return nil
}

// tell tells the user now and then how far it is, and reports whether it did.
func (c *covering) tell(what string) bool {
	if c.runs <= c.told+toldRuns {
		return false
	}
	c.told = c.runs
	c.o.Observer.Phase("%s: %d runs so far", what, c.runs)
	return true
}

// toldRuns is after how many runs the user is told how far it is.
const toldRuns = 50

// attempt forces one candidate in one run.
func (c *covering) attempt(ctx context.Context, k candidate, seed uint64, late bool) attempt {
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
	a.outcome, a.exposed, a.lesson = outcome, trace.Exposed, learnt(trace)
	return a
}

// note takes over what an attempt showed.
func (c *covering) note(a attempt) {
	t := a.test
	t.Forced++
	t.attempts[a.root]++
	if a.exposed {
		a.lesson.exposed[a.root] = true
	}
	how := Failure{Forced: c.root(a.root), Exposed: a.exposed, Seed: a.seed, Late: a.late, root: a.root, test: t, fresh: c.fresh(a.lesson)}
	c.learn(t, a.lesson)
	shown := c.failures(t, a.outcome, how)
	c.tried(a, shown)
}
