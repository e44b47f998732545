package verdicts

// A timer is one that a thread has set.
type timer struct {
	at     int // when it expires
	thread int
	number int   // of the timers of the thread, from 1
	c      clock // of the setting
}

// arm sets a timer of a thread.
func (s *state) arm(t, lasts int) {
	s.armed[t]++
	s.due[t] = false
	s.timers = append(s.timers, timer{s.now + lasts, t, s.armed[t], s.clocks[t]})
}

// mayExpire reports whether a timer may be the next to expire. Any thread may be
// slow, so that the earliest may always. Of those that expire at one moment any may
// be the first, but none before one that was set before it.
func (s *state) mayExpire(i int) bool {
	for j, other := range s.timers {
		before := s.timers[i].c[other.thread] >= other.c[other.thread]
		if other.at < s.timers[i].at || j != i && other.at == s.timers[i].at && before {
			return false
		}
	}
	return true
}

// expire is the state in which a timer has expired. Nobody may wait for it any more.
func (s *state) expire(i int) *state {
	n := s.clone()
	t := n.timers[i]
	n.timers = append(n.timers[:i], n.timers[i+1:]...)
	n.now = max(n.now, t.at)
	if t.number == n.armed[t.thread] {
		n.due[t.thread] = true
	}
	return n
}
