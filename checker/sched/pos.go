package sched

import "math/rand/v2"

// pos is partial order sampling: Yuan, Yang and Gu, "Partial Order Aware
// Concurrency Sampling" (CAV 2018), section 4. Every pending operation has a
// random priority and the highest enabled one is done; then it, and every
// operation that depends on it, draws anew. So the order of two dependent
// operations is an even chance however long the goroutines around them run,
// which a random walk does not give. A goroutine that asks to be passed over
// gets the lowest of all, until the others have had their turn; one that spins draws anew at each step, so it cannot starve others.
type pos struct {
	rng      *rand.Rand
	priority []uint64
	bottom   uint64 // the next lowest priority
	timePolicy
}

func newPOS(seed uint64) *pos { return &pos{rng: stream(seed, 'o')} }

func (s *pos) Begin() bool {
	s.begin()
	s.priority, s.bottom = s.priority[:0], 1<<32
	return true
}

func (s *pos) Next(enabled []Pending, current int, yielding bool) int {
	for _, p := range enabled {
		for len(s.priority) <= p.G {
			s.priority = append(s.priority, s.draw())
		}
	}
	if yielding && current >= 0 && current < len(s.priority) {
		s.bottom--
		s.priority[current] = s.bottom
	}
	best := 0
	for i, p := range enabled {
		if s.priority[p.G] > s.priority[enabled[best].G] {
			best = i
		}
	}
	for _, p := range enabled {
		if Dependent(p, enabled[best]) {
			s.priority[p.G] = s.draw()
		}
	}
	return best
}

// draw returns a priority above those of goroutines that asked to be passed over.
func (s *pos) draw() uint64 { return s.rng.Uint64() | 1<<63 }

// Pass implements [Timekeeper].
func (s *pos) Pass() bool { return s.passes(s.rng) }

func (s *pos) Choose(n int) int {
	if n < 2 {
		return 0
	}
	return s.rng.IntN(n)
}

func (s *pos) End(*Execution) {}
