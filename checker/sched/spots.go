package sched

import "mendel/checker/sched/causal"

// spots are places in the source by number. Nil ones are not noted.
type spots struct {
	frames  []Frame // by number - 1
	numbers map[Frame]causal.Spot
	at      position // scratch
}

// here numbers the place of the program that called the engine.
func (s *spots) here() causal.Spot {
	if s == nil {
		return 0
	}
	s.at = where(1, shallow, s.at)
	frames := s.at.frames()
	if len(frames) == 0 {
		return 0
	}
	n, ok := s.numbers[frames[0]]
	if !ok {
		if s.numbers == nil {
			s.numbers = map[Frame]causal.Spot{}
		}
		s.frames = append(s.frames, frames[0])
		n = causal.Spot(len(s.frames))
		s.numbers[frames[0]] = n
	}
	return n
}

// place is where a goroutine did something.
func (s *spots) place(goroutine, what string, at causal.Spot) Place {
	p := Place{Goroutine: goroutine, What: what}
	if at > 0 {
		f := s.frames[at-1]
		p.Function, p.File, p.Line = f.Function, f.File, f.Line
	}
	return p
}
