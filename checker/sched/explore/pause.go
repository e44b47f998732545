package explore

import (
	"slices"
	"strings"

	"mendel/checker/sched"
)

// A failure that a test reports may need time to pass although goroutines can go on. Then
// either something was slow that must not matter, or the test expects to be fast: it comes
// to its next statement before a pool has sent its idle workers home. [Paused] finds the
// schedule of such a test. Options.Lenient is for those that expect others to be fast.

// A Paused makes one execution along recorded choices as [Guided] does, but time passes early
// only in pauses of one goroutine: when no other one can go on, and it is about to begin a
// statement of a test file. It does that when the others have done what they do then. An
// execution in which another one never stops is none of these, see Paused.Restless.
type Paused struct {
	Guided
	slow     int
	stepped  map[int]int // by goroutine: number of its last step
	steps    int
	at       sched.Frame // the statement of the test that slow executes
	held     int         // decisions since time was to pass
	restless bool
	settling bool // time has passed: what others do about it comes first

	observing bool
	began     int         // with observing: the choice by which the statement began
	within    map[int]int // with observing: choices by which time passed within a statement, and began
}

// NewPaused returns the strategy for one execution, with Options.Trace, in which the goroutine
// with an ID is slow.
func NewPaused(choices []sched.Choice, slow int) *Paused {
	return &Paused{Guided: Guided{choices: slices.Clone(choices)}, slow: slow, stepped: map[int]int{}}
}

// Observe has time pass where it is recorded, whoever can go on, for [Paused.Before].
func (s *Paused) Observe() { s.observing, s.within = true, map[int]int{} }

// Before are the observed choices, with those by which time passed within a statement of the
// slow goroutine moved to where that began: others may have read the clock in it. nil if there are none.
func (s *Paused) Before() []sched.Choice {
	if len(s.within) == 0 {
		return nil
	}
	var moved []sched.Choice
	for i, c := range s.choices {
		for from := i; from < len(s.choices); from++ {
			if began, ok := s.within[from]; ok && began == i {
				moved = append(moved, s.choices[from])
			}
		}
		if _, ok := s.within[i]; !ok {
			moved = append(moved, c)
		}
	}
	return moved
}

// maxHeld is for how many decisions time waits until goroutines rest. Guessed.
const maxHeld = 2000

// Restless reports whether time passed although others never came to rest.
func (s *Paused) Restless() bool { return s.restless }

// Expire implements [sched.Timekeeper].
func (s *Paused) Expire(n int, idle bool) int {
	switch {
	case idle || !s.timeIsNext():
	case s.observing && !s.rests():
		s.within[s.next] = s.began
	case !s.observing && s.busy(s.view.Enabled(), -1, false) >= 0:
		return -1
	}
	v := s.Guided.Expire(n, idle)
	if v >= 0 {
		s.held, s.settling = 0, !idle && !s.observing
	}
	return v
}

// Next implements [sched.Strategy].
func (s *Paused) Next(enabled []sched.Pending, current int, yielding bool) int {
	i := -1
	if (s.timeIsNext() || s.settling) && !s.observing {
		i = s.busy(enabled, current, yielding)
		s.settling = s.settling && i >= 0
	}
	rests := s.rests()
	switch {
	case i < 0:
		i = s.Guided.Next(enabled, current, yielding)
	case s.hurry(enabled[i].G):
		i = s.Guided.Next(enabled, current, yielding)
		s.hold()
	default:
		s.fair.arrive(enabled, yielding)
		s.fair.step(enabled[i])
		s.hold()
	}
	if enabled[i].G == s.slow {
		if rests {
			s.began = s.next - 1
		}
		s.at, _ = s.statement()
	}
	s.steps++
	s.stepped[enabled[i].G] = s.steps
	return i
}

// hold notes a decision since time was to pass.
func (s *Paused) hold() {
	s.held++
	s.restless = s.restless || s.held > maxHeld
}

// hurry has the next recorded step of a goroutine, with the numbers of that, be made now; false:
// there is none.
func (s *Paused) hurry(g int) bool {
	rest := s.choices[s.next:]
	from := slices.IndexFunc(rest, func(c sched.Choice) bool { return c == sched.Choice{Kind: sched.Step, N: g} })
	if from < 0 {
		return false
	}
	to := from + 1
	for to < len(rest) && rest[to].Kind == sched.Number {
		to++
	}
	step := slices.Clone(rest[from:to])
	copy(rest[len(step):to], rest[:from])
	copy(rest, step)
	return true
}

// timeIsNext reports whether the next of the recorded choices is that time passes.
func (s *Paused) timeIsNext() bool {
	s.skip()
	return s.next < len(s.choices) && (s.choices[s.next].Kind == sched.TimePassed || s.choices[s.next].Kind == sched.Expiry)
}

// busy returns the index in enabled of a goroutine that has to go on before time passes, or -1:
// that of the last step, or the next one that the fairness of schedules lets go on.
func (s *Paused) busy(enabled []sched.Pending, current int, yielding bool) int {
	if s.restless {
		return -1
	}
	found := -1
	for i := range enabled {
		switch g := enabled[i].G; {
		case g == s.slow && s.rests():
		case g == current && !yielding:
			return i
		case found < 0 || s.stepped[g] < s.stepped[enabled[found].G]:
			found = i // the one that has waited for the longest time
		}
	}
	return found
}

// rests reports whether the slow goroutine is between two statements of a test file.
func (s *Paused) rests() bool {
	at, innermost := s.statement()
	return at.File != "" && (innermost || at != s.at)
}

// statement is the innermost frame of where the slow goroutine is that is in a test file, and
// whether no other of the program is within it; without one, the zero Frame.
func (s *Paused) statement() (f sched.Frame, innermost bool) {
	for i, f := range s.view.Frames(s.slow) {
		if strings.HasSuffix(f.File, "_test.go") {
			return f, i == 0
		}
	}
	return sched.Frame{}, false
}
