package explore

import "mendel/checker/sched"

// PCTLarge is the variant of PCT that Yu, Narayanasamy, Pereira and Pokam compare Maple
// with (OOPSLA 2012, section 6): priorities are not strict, so there are more switches.
// There the operating system gives a thread of lower priority a smaller share of the
// processor. Here each choice passes over the goroutine of the highest priority in one
// of looseness cases, and the next one likewise. PCT's bound does not hold for it.
const looseness = 4 // guessed

func newPCTLarge(seed uint64, depth int) *pct {
	s := newPCT(seed, depth)
	s.loose = true
	return s
}

func samplePCTLarge(s Search) sched.Strategy { return newPCTLarge(s.Seed, s.Depth) }

// mostly returns the index of the operation whose goroutine has the highest priority,
// or sometimes of one with a lower priority.
func (s *pct) mostly(enabled []sched.Pending) int {
	best := highest(s.priority, enabled)
	for range len(enabled) - 1 {
		if s.rng.IntN(looseness) > 0 {
			break
		}
		next := -1
		for i := range enabled {
			p := s.priority[enabled[i].G]
			if p < s.priority[enabled[best].G] && (next < 0 || p > s.priority[enabled[next].G]) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		best = next
	}
	return best
}
