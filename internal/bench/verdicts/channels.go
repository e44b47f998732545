package verdicts

// communicate does one of some sends and receives. Of a select the number of the
// case is observed. The default case is taken when no other is ready: whoever is
// about to wait at the other end may not have come there yet.
func (m *model) communicate(s *state, t int, cases []stmt, selecting, otherwise bool) (all []transition) {
	ready := false
	for i, c := range cases {
		number := -1
		if selecting {
			number = i
		}
		alone := m.buffered(s, t, c, number)
		ready = ready || len(alone) > 0
		all = append(all, alone...)
		if m.p.caps[c.obj] == 0 && !s.channel[c.obj].closed {
			all = append(all, m.meet(s, t, c, number)...)
		}
	}
	if !ready && otherwise {
		n := s.clone()
		n.advance(t)
		n.see(t, len(cases))
		all = append(all, transition{state: n})
	}
	return all
}

// begin is a state in which a thread has begun case number of its step.
func (s *state) begin(t, number int) *state {
	n := s.clone()
	n.advance(t)
	if number >= 0 {
		n.see(t, number)
	}
	return n
}

// buffered is a communication with the channel itself: its buffer, or its end.
func (m *model) buffered(s *state, t int, c stmt, number int) []transition {
	ch, room := &s.channel[c.obj], m.p.caps[c.obj]
	switch {
	case c.do == "send" && ch.closed:
		return []transition{{failed: "panic"}}
	case c.do == "send" && len(ch.buf) < room:
		n := s.begin(t, number)
		ch := &n.channel[c.obj]
		// The receive number k happens before the end of the send number k + capacity.
		if len(ch.buf)+len(ch.freed) == room && len(ch.freed) > 0 {
			n.clocks[t].join(ch.freed[0])
			ch.freed = ch.freed[1:]
		}
		ch.buf = append(ch.buf, message{c.v, n.clocks[t]})
		return []transition{{state: n}}
	case c.do == "recv" && len(ch.buf) > 0:
		n := s.begin(t, number)
		ch := &n.channel[c.obj]
		n.see(t, ch.buf[0].v)
		n.clocks[t].join(ch.buf[0].c)
		ch.buf = ch.buf[1:]
		ch.freed = append(ch.freed, n.clocks[t])
		return []transition{{state: n}}
	case c.do == "recv" && ch.closed:
		n := s.begin(t, number)
		n.see(t, -1)
		n.clocks[t].join(ch.closedBy)
		return []transition{{state: n}}
	}
	return nil
}

// meet is a communication with each thread that waits at the other end.
func (m *model) meet(s *state, t int, c stmt, number int) (all []transition) {
	for u := range m.code {
		if u == t || !s.started[u] || s.pc[u] == len(m.code[u]) {
			continue
		}
		o := &m.code[u][s.pc[u]]
		cases, selecting := []stmt{{do: o.do, obj: o.obj, v: o.v}}, o.do == "select" || o.do == "timed"
		if selecting {
			cases = o.cases
		}
		for i, d := range cases {
			if d.obj != c.obj || !(c.do == "send" && d.do == "recv" || c.do == "recv" && d.do == "send") {
				continue
			}
			n := s.begin(t, number)
			n.advance(u)
			if selecting {
				n.see(u, i)
			}
			if c.do == "send" {
				n.see(u, c.v)
			} else {
				n.see(t, d.v)
			}
			both := n.clocks[t]
			both.join(n.clocks[u])
			n.clocks[t], n.clocks[u] = both, both
			all = append(all, transition{state: n})
		}
	}
	return all
}
