package sched

import (
	"cmp"
	"fmt"
)

// Shadow memory is bounded, though what a test touches is not. When there is much of
// it, accesses are forgotten that cannot race any more: all goroutines that are left
// know of them, and whoever comes will know what one of these knows. If that does not
// help, all are forgotten, and the execution is Unwatched.

// Guessed: a word takes about 100 bytes.
const (
	manyWords = 1 << 14 // of shadow memory, from which on some are forgotten
	maxWords  = 1 << 21
)

// makeRoom makes room for a word of shadow memory.
func (s *shadow) makeRoom() {
	if s.of != nil && len(s.words) >= manyWords {
		s.forget(s.of.knownToAll())
	}
	switch n := len(s.words); {
	case s.of != nil && n >= cmp.Or(s.most, maxWords):
		if r := s.of.result; r.Unwatched == "" {
			r.Unwatched = fmt.Sprintf("goroutines may share more than %d MB, and some accesses were forgotten", maxWords*8>>20)
		}
		clear(s.words)
		s.words = s.words[:0]
		clear(s.index)
	case n >= len(s.index)/4: // else there is room for as many again
		s.grow()
	}
}

// knownToAll is what all goroutines know that are left, and those that timers will start.
func (x *execution) knownToAll() Clock {
	var least Clock
	first := true
	lower := func(c Clock) {
		if first {
			least.set(c)
			first = false
		}
		for i := range least {
			least[i] = min(least[i], c.at(i))
		}
	}
	clocks := map[*virtualClock]bool{&x.time.clock: true}
	for _, g := range x.alive {
		lower(g.clock)
		clocks[g.time] = true
	}
	for c := range clocks {
		for _, t := range c.timers.heap {
			lower(t.clock)
		}
	}
	return least
}

// forget forgets the accesses that happen before a moment.
func (s *shadow) forget(past Clock) {
	left := s.words[:0]
	for _, w := range s.words {
		kept := w.accesses[:0]
		for _, a := range w.accesses {
			if a.time > past.at(int(a.g)) {
				kept = append(kept, a)
			}
		}
		clear(w.accesses[len(kept):]) // of pointers
		if w.accesses = kept; len(kept) > 0 {
			left = append(left, w)
		}
	}
	clear(s.words[len(left):])
	s.words = left
	clear(s.index)
	s.list()
}
