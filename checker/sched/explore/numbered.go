package explore

import (
	"math/rand/v2"

	"mendel/checker/sched"
)

// Numbered is a strategy each of whose executions depends on the seed, its number and
// State alone, with Search.Numbered. So one that is known need not be made.
type Numbered interface {
	sched.Timekeeper
	Number() int // of the execution that has begun, from 1
	State() int  // what it depends on that earlier ones have left behind
	Leaves() int // at its end: the State of the next
	// Pass ends the execution that has begun, as if it had been made and left a state.
	Pass(leaves int)
}

// numbered keeps the generators of one search's executions apart: an odd number, with
// which no two of them are equal.
const numbered = 0xd1342543de82ef95

// number has each execution draw from a generator of its own, if that is wanted.
func (h *timePolicy) number(wanted bool, seed, strategy uint64) {
	if wanted {
		h.fresh = func(n uint64) *rand.Rand { return stream(seed+n*numbered, strategy) }
	}
}

// Number implements [Numbered].
func (h *timePolicy) Number() int { return h.executions }

// State implements [Numbered]: nothing is left behind.
func (h *timePolicy) State() int { return 0 }

// Leaves implements [Numbered].
func (h *timePolicy) Leaves() int { return 0 }

// Pass implements [Numbered].
func (h *timePolicy) Pass(int) {}

// State implements [Numbered]: it is the longest execution so far.
func (s *pct) State() int { return s.length }

// Leaves implements [Numbered].
func (s *pct) Leaves() int {
	if !s.measured {
		return max(1, s.step)
	}
	return max(s.length, s.step)
}

// Pass implements [Numbered].
func (s *pct) Pass(length int) { s.measured, s.step, s.length = true, 0, length }
