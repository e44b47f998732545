package sched

import "fmt"

// A Guided makes one execution that takes recorded choices as a wish: it passes
// over those that cannot be had, and after the last lets the goroutine go on
// that ran, or else the first that can. So a schedule that failed one program
// is shown to another that was changed a little.
type Guided struct {
	choices []Choice
	next    int
	passed  int // choices passed over
	wanting int // decisions after the last choice
	begun   bool
	fair    fairness
}

// NewGuided returns the strategy for one execution.
func NewGuided(choices []Choice) *Guided { return &Guided{choices: choices} }

// Begin implements [Strategy]: true once.
func (s *Guided) Begin() bool {
	first := !s.begun
	s.begun = true
	return first
}

// Next implements [Strategy].
func (s *Guided) Next(enabled []Pending, current int, yielding bool) int {
	s.fair.arrive(enabled, yielding)
	i := s.wish(enabled)
	if i < 0 {
		s.wanting++
		if i = index(enabled, current); i < 0 || yielding {
			i = 0
		}
		for k := 0; s.fair.barred(enabled[i].G, enabled); k++ {
			i = k
		}
	}
	s.fair.step(enabled[i])
	return i
}

// wish returns the place in enabled of the next choice that can be had, or -1.
func (s *Guided) wish(enabled []Pending) int {
	for s.next < len(s.choices) {
		c := s.choices[s.next]
		s.next++
		if c.G >= 0 {
			if i := index(enabled, c.G); i >= 0 {
				return i
			}
		}
		s.passed++
	}
	return -1
}

// Pass implements [Timekeeper].
func (s *Guided) Pass() bool {
	if s.next < len(s.choices) && s.choices[s.next].G == timePassed {
		s.next++
		return true
	}
	return false
}

// Choose implements [Strategy].
func (s *Guided) Choose(n int) int {
	if s.next < len(s.choices) && s.choices[s.next].G == aNumber && s.choices[s.next].Value < n {
		s.next++
		return s.choices[s.next-1].Value
	}
	s.wanting++
	return 0
}

// End implements [Strategy].
func (s *Guided) End(*Execution) {}

// Diverged tells how the execution differed from the choices, "" if it did not.
// It is meaningful after End.
func (s *Guided) Diverged() string {
	rest := len(s.choices) - s.next
	if s.passed == 0 && s.wanting == 0 && rest == 0 {
		return ""
	}
	return fmt.Sprintf("of %d choices %d were not possible and %d left over; %d decisions had none",
		len(s.choices), s.passed, rest, s.wanting)
}
