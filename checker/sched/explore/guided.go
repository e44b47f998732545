package explore

import (
	"fmt"

	"mendel/checker/sched"
)

// A Guided makes one execution along recorded choices as far as they are possible.
// It passes over the others. After the last choice the goroutine that ran goes on,
// or else the first that can. So a schedule that failed one program guides another
// that was changed a little.
type Guided struct {
	choices []sched.Choice
	next    int
	passed  int // choices passed over
	extra   int // decisions for which there was no choice
	begun   bool
	fair    fairness
	view    sched.View

	declining bool
	declined  int // default cases taken because of it
	handing   bool
	sent      uint64        // channels to which the last step may have sent, as in Pending.Channels
	before    map[int]int32 // Options of the goroutines that were enabled at the last decision
	receiving uint64        // channels from one of which the present step is to receive
}

// NewGuided returns the strategy for one execution.
func NewGuided(choices []sched.Choice) *Guided { return &Guided{choices: choices} }

// Decline makes selects take their default case where they may: a partner that
// waits may in a real execution arrive a moment later. Recorded choices come
// first.
func (s *Guided) Decline() { s.declining = true }

// Declined reports how many default cases were taken because of Decline.
func (s *Guided) Declined() int { return s.declined }

// HandOver lets a goroutine that waits to receive what was sent go on before the
// next choice. So the receive follows a send into a buffer, as it does where the
// channel has none. A select receives it even if it could have gone on without the
// send: where the channel has no buffer, the sender does not ask.
func (s *Guided) HandOver() { s.handing, s.before = true, map[int]int32{} }

// Begin implements [sched.Strategy]: true once.
func (s *Guided) Begin() bool {
	first := !s.begun
	s.begun = true
	return first
}

// Next implements [sched.Strategy].
func (s *Guided) Next(enabled []sched.Pending, current int, yielding bool) int {
	s.fair.arrive(enabled, yielding)
	i := s.receiver(enabled)
	if i < 0 {
		i = s.follow(enabled)
	}
	if i < 0 {
		s.extra++
		if i = sched.Index(enabled, current); i < 0 || yielding {
			i = 0
		}
		for k := 0; s.fair.barred(enabled[i].G, enabled); k++ {
			i = k
		}
	}
	s.fair.step(enabled[i])
	s.sent = 0
	if p := &enabled[i]; s.handing && (p.Kind == sched.KindSend || p.Kind == sched.KindSelect) {
		s.sent = p.Channels
	}
	return i
}

// receiver returns the index in enabled of a goroutine that the last send gave
// something to receive, or -1.
func (s *Guided) receiver(enabled []sched.Pending) int {
	if !s.handing {
		return -1
	}
	found := -1
	s.receiving = 0
	for i := range enabled {
		p := &enabled[i]
		receives := p.Kind == sched.KindRecv || p.Kind == sched.KindSelect
		if found < 0 && receives && p.Channels&s.sent != 0 && p.Options > s.before[p.G] {
			found, s.receiving = i, s.sent
		}
	}
	clear(s.before)
	for i := range enabled {
		s.before[enabled[i].G] = enabled[i].Options
	}
	return found
}

// View implements [sched.Viewer].
func (s *Guided) View(v sched.View) { s.view = v }

// Select implements [sched.Selector].
func (s *Guided) Select(g int, ready []int, declinable bool) int {
	if len(ready) > 1 {
		if i := s.handed(g, ready); i >= 0 {
			return i
		}
	}
	if declinable && s.declines() {
		return sched.Default
	}
	return sched.Unsettled
}

// handed returns which of the cases of a select that can be done receives what was
// handed over, or -1.
func (s *Guided) handed(g int, ready []int) int {
	for _, i := range ready {
		if o := s.view.Offer(g, i); !o.Sends() && o.Filled() && o.Channel().Bit()&s.receiving != 0 {
			return i
		}
	}
	return -1
}

// declines reports whether a select takes its default case where it may.
func (s *Guided) declines() bool {
	if s.skip(); !s.declining || s.next < len(s.choices) && s.choices[s.next].Kind == sched.Number {
		return false
	}
	s.declined++
	return true
}

// follow returns the index in enabled of the next choice that is possible, or -1.
func (s *Guided) follow(enabled []sched.Pending) int {
	for s.next < len(s.choices) {
		c := s.choices[s.next]
		s.next++
		if c.Kind == sched.Admission || c.Kind == sched.ClockBegins {
			continue // the environment itself decides
		}
		if c.Kind == sched.Step {
			if i := sched.Index(enabled, c.N); i >= 0 {
				return i
			}
		}
		s.passed++
	}
	return -1
}

// Expire implements [sched.Timekeeper].
func (s *Guided) Expire(n int, idle bool) int {
	s.skip()
	if s.next < len(s.choices) {
		if c := s.choices[s.next]; c.Kind == sched.TimePassed || c.Kind == sched.Expiry {
			s.next++
			return min(c.N, n-1)
		}
	}
	if !idle {
		return -1
	}
	s.extra++
	return 0
}

// Peek implements [sched.Follower].
func (s *Guided) Peek() (sched.Choice, bool) {
	if s.next == len(s.choices) {
		return sched.Choice{}, false
	}
	return s.choices[s.next], true
}

// skip passes over marks.
func (s *Guided) skip() {
	for s.next < len(s.choices) && s.choices[s.next].Kind == sched.ClockBegins {
		s.next++
	}
}

// Choose implements [sched.Strategy].
func (s *Guided) Choose(n int) int {
	s.skip()
	if s.next < len(s.choices) && s.choices[s.next].Kind == sched.Number && s.choices[s.next].N < n {
		s.next++
		return s.choices[s.next-1].N
	}
	s.extra++
	return 0
}

// End implements [sched.Strategy].
func (s *Guided) End(*sched.Execution) {}

// Diverged reports how the execution differed from the choices, "" if it did not.
// It is meaningful after End.
func (s *Guided) Diverged() string {
	rest := len(s.choices) - s.next
	if s.passed == 0 && s.extra == 0 && rest == 0 {
		return ""
	}
	if s.passed == 0 && rest == 0 {
		return fmt.Sprintf("all %d choices of the schedule were made, and %d more", len(s.choices), s.extra)
	}
	text := fmt.Sprintf("%d of the schedule's %d choices could not be made", s.passed, len(s.choices))
	if rest > 0 {
		text += fmt.Sprintf(", %d were left over", rest)
	}
	return text + fmt.Sprintf("; %d others were made", s.extra)
}
