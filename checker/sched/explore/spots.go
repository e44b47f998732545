package explore

import (
	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// spots are places in the source by number. Nil ones are not noted.
type spots struct {
	frames  []sched.Frame // by number - 1
	numbers map[sched.Frame]causal.Spot
	at      sched.Locator
}

// here numbers the place of the program that called the engine.
func (s *spots) here() causal.Spot {
	if s == nil {
		return 0
	}
	f, ok := s.at.Here()
	if !ok {
		return 0
	}
	n, ok := s.numbers[f]
	if !ok {
		if s.numbers == nil {
			s.numbers = map[sched.Frame]causal.Spot{}
		}
		s.frames = append(s.frames, f)
		n = causal.Spot(len(s.frames))
		s.numbers[f] = n
	}
	return n
}

// place is where a goroutine did something.
func (s *spots) place(goroutine, what string, at causal.Spot) sched.Place {
	p := sched.Place{Goroutine: goroutine, What: what}
	if at > 0 {
		f := s.frames[at-1]
		p.Function, p.File, p.Line = f.Function, f.File, f.Line
	}
	return p
}
