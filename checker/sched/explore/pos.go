package explore

import (
	"math/rand/v2"

	"mendel/checker/sched"
)

// pos is partial order sampling: Yuan, Yang and Gu, "Partial Order Aware
// Concurrency Sampling" (CAV 2018), section 4. Every pending operation has a
// random priority and the highest enabled one is done; then it, and every
// operation that depends on it, draws anew. So the order of two dependent
// operations is an even chance however long the goroutines around them run,
// which a random walk does not give. A goroutine that asks to be passed over
// draws below all that do not, and so do anew those that have asked before: of several
// that wait for each other in loops none is passed over for long. One that spins draws
// anew at each step, so it cannot starve others.
type pos struct {
	rng      *rand.Rand
	priority []uint64
	timePolicy
}

func newPOS(seed uint64) *pos { return &pos{rng: stream(seed, 'o')} }

func samplePOS(s Search) sched.Strategy {
	t := newPOS(s.Seed)
	t.number(s.Numbered, s.Seed, 'o')
	return t
}

func (s *pos) Begin() bool {
	s.rng = s.begin(s.rng)
	s.priority = s.priority[:0]
	return true
}

func (s *pos) Next(enabled []sched.Pending, current int, yielding bool) int {
	for last := enabled[len(enabled)-1].G; len(s.priority) <= last; { // they are by ascending G
		s.priority = append(s.priority, s.draw())
	}
	if yielding && current >= 0 && current < len(s.priority) {
		s.priority[current] &^= high
		for g, p := range s.priority { // one that was passed over by chance must not stay so
			if p&high == 0 {
				s.priority[g] = s.draw() &^ high
			}
		}
	}
	best := highest(s.priority, enabled)
	chosen := &enabled[best]
	for i := range enabled {
		if p := &enabled[i]; sched.Dependent(p, chosen) {
			s.priority[p.G] = s.draw()
		}
	}
	return best
}

// highest returns the index of the operation whose goroutine has the highest priority,
// the first of equal ones.
func highest(priority []uint64, enabled []sched.Pending) int {
	best, most := 0, priority[enabled[0].G]
	for i := 1; i < len(enabled); i++ {
		if p := priority[enabled[i].G]; p > most {
			best, most = i, p
		}
	}
	return best
}

// high is the bit that a goroutine's priority has unless it asked to be passed over.
const high = 1 << 63

// draw returns a priority of a goroutine that does not ask to be passed over.
func (s *pos) draw() uint64 { return s.rng.Uint64() | high }

// Expire implements [sched.Timekeeper].
func (s *pos) Expire(n int, idle bool) int { return s.expires(s.rng, n, idle) }

func (s *pos) Choose(n int) int {
	if n < 2 {
		return 0
	}
	return s.rng.IntN(n)
}

func (s *pos) End(*sched.Execution) {}
