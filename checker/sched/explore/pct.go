package explore

import (
	"math/rand/v2"

	"mendel/checker/sched"
)

// pct is probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi and
// Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
// Bugs" (ASPLOS 2010), section 3. Goroutines have random priorities and the
// highest enabled one runs; at d-1 random steps the running one falls to the
// bottom. A bug of depth d in a program of n goroutines and k steps is found by
// one execution with probability at least 1/(n k^(d-1)).
//
// Deviations: n is not known before, so a goroutine draws its priority from the
// 64-bit numbers when it is first seen, which makes the order as random as a
// permutation. k is the longest execution so far, so the bound holds from the
// second execution on, for programs whose length does not vary. A goroutine that
// yields, or seems to spin, falls to the bottom, or the program would not end;
// the bound is for programs that do neither.
type pct struct {
	rng      *rand.Rand
	depth    int
	length   int // k
	measured bool
	priority []uint64
	drop     []int  // steps before which the running goroutine falls
	bottom   uint64 // the next lowest priority
	step     int
	fair     fairness
	loose    bool // see pctlarge.go
	timePolicy
}

const (
	pctDepth  = 3  // finds bugs that need two switches at the right places
	pctLength = 64 // guessed length of the first execution
)

func newPCT(seed uint64, depth int) *pct {
	return &pct{rng: stream(seed, 'p'), depth: depth, length: pctLength}
}

func samplePCT(s Search) sched.Strategy {
	t := newPCT(s.Seed, s.Depth)
	t.number(s.Numbered, s.Seed, 'p')
	return t
}

func (s *pct) Begin() bool {
	s.rng = s.begin(s.rng)
	s.priority = s.priority[:0]
	s.drop = s.drop[:0]
	for range s.depth - 1 {
		s.drop = append(s.drop, s.rng.IntN(s.length))
	}
	s.bottom = 1 << 32
	s.step = 0
	s.fair.reset()
	return true
}

func (s *pct) Next(enabled []sched.Pending, current int, yielding bool) int {
	for last := enabled[len(enabled)-1].G; len(s.priority) <= last; { // they are by ascending G
		s.priority = append(s.priority, s.rng.Uint64()|1<<63)
	}
	s.fair.arrive(enabled, yielding)
	if yielding && current >= 0 && current < len(s.priority) {
		s.fall(current)
	}
	best := s.best(enabled)
	if s.fair.barred(enabled[best].G, enabled) {
		s.fall(enabled[best].G)
		best = s.best(enabled)
	}
	for _, at := range s.drop {
		if at == s.step {
			s.fall(enabled[best].G)
			best = s.best(enabled)
		}
	}
	s.step++
	s.fair.step(enabled[best])
	return best
}

func (s *pct) best(enabled []sched.Pending) int {
	if s.loose {
		return s.mostly(enabled)
	}
	return highest(s.priority, enabled)
}

// fall gives g the lowest priority of all.
func (s *pct) fall(g int) {
	s.bottom--
	s.priority[g] = s.bottom
}

// Expire implements [sched.Timekeeper].
func (s *pct) Expire(n int, idle bool) int { return s.expires(s.rng, n, idle) }

func (s *pct) Choose(n int) int {
	if n < 2 {
		return 0
	}
	return s.rng.IntN(n)
}

func (s *pct) End(*sched.Execution) {
	s.length, s.measured = s.Leaves(), true
}
