package verdicts

import (
	"bytes"
	"fmt"
	"slices"
)

// This file says what programs mean: the Go specification, the Go memory model
// and the documentation of sync, by enumeration of all interleavings with the
// happens-before relation of each. It shares no code with the checker.

const most = 4 // threads

// A clock is what a thread knows of the steps of each thread.
type clock [most]uint8

func (c *clock) join(d clock) {
	for i := range c {
		c[i] = max(c[i], d[i])
	}
}

// A message is a value in a buffer, with what its sender knew.
type message struct {
	v int
	c clock
}

// A state of the model.
type state struct {
	pc      [most]int
	started [most]bool
	woken   [most]bool
	regs    [most][]int
	clocks  [most]clock
	wakes   [most]clock // what whoever woke a thread knew

	mutex [objects]struct {
		locked bool
		c      clock
	}
	rw [objects]struct {
		arrived, writing bool
		readers          int
		writers, left    clock
	}
	queue [objects][]int // of who waits for a condition
	once  [objects]struct {
		at int // 1: begun, 2: done
		c  clock
	}
	group, joined struct {
		n int
		c clock
	}
	channel [objects]struct {
		buf      []message
		freed    []clock // of the receives that freed the next slots
		closed   bool
		closedBy clock
	}
	atomic [objects]struct {
		v int
		c clock
	}
	now    int // in the unit of durations
	timers []timer
	armed  [most]int  // timers that each thread has set so far
	due    [most]bool // whether the last of them has expired

	plain [objects]struct {
		v             int
		reads, writes clock // the last of each thread
	}
}

// endings are the ways in which a program can end: kinds of failures as package
// evidence names them, or "ok", with the outcomes that a joined program has then.
type endings struct {
	kinds    map[string]bool
	outcomes map[string][]int
	states   int
	partial  bool // there are more states than the limit
}

// A model is the enumeration of a program.
type model struct {
	p     *program
	code  [][]op
	seen  map[string]bool
	limit int
	endings
}

// enumerate makes all executions of a program, as long as there are not too
// many states.
func enumerate(p *program, limit int) endings {
	m := &model{p: p, code: p.code(), seen: map[string]bool{}, limit: limit}
	m.kinds, m.outcomes = map[string]bool{}, map[string][]int{}
	s := &state{}
	s.started[0] = true
	s.group.n = p.done
	s.joined.n = len(p.threads) - 1
	m.visit(s)
	m.states = len(m.seen)
	return m.endings
}

func (m *model) visit(s *state) {
	if m.partial {
		return
	}
	key := s.key()
	if m.seen[key] {
		return
	}
	if m.seen[key] = true; len(m.seen) > m.limit {
		m.partial = true
		return
	}
	stuck := true
	for t := range m.code {
		if !s.started[t] || s.pc[t] == len(m.code[t]) {
			continue
		}
		for _, after := range m.step(s, t) {
			stuck = false
			if after.failed != "" {
				m.kinds[after.failed] = true
			} else {
				m.visit(after.state)
			}
		}
	}
	for i := range s.timers {
		if s.mayExpire(i) {
			stuck = false
			m.visit(s.expire(i))
		}
	}
	if stuck {
		m.end(s)
	}
}

// end notes how an execution has ended in which nothing can happen any more.
func (m *model) end(s *state) {
	kind := "ok"
	for t := len(m.code) - 1; t >= 0; t-- {
		if s.started[t] && s.pc[t] < len(m.code[t]) {
			kind = "blocked"
			if t == 0 {
				kind = "deadlock"
			}
		}
	}
	if kind == "ok" && m.p.join {
		o := outcome(s.regs[:len(m.code)])
		m.outcomes[fmt.Sprint(o)] = o
		if m.p.refused != nil && slices.Equal(o, m.p.refused) {
			kind = "test-failure"
		}
	}
	m.kinds[kind] = true
}

// separator stands between the registers of two threads in an outcome.
const separator = -9

func outcome(regs [][]int) []int {
	var all []int
	for _, r := range regs {
		all = append(append(all, r...), separator)
	}
	return all
}

// key is equal for equal states.
func (s *state) key() string {
	var b bytes.Buffer
	fmt.Fprint(&b, *s)
	return b.String()
}

func (s *state) clone() *state {
	c := *s
	c.timers = slices.Clone(c.timers)
	for t := range c.regs {
		c.regs[t] = slices.Clip(c.regs[t])
	}
	for o := range objects {
		c.queue[o] = slices.Clone(c.queue[o])
		c.channel[o].buf = slices.Clone(c.channel[o].buf)
		c.channel[o].freed = slices.Clone(c.channel[o].freed)
	}
	return &c
}

// A transition is a state after a step, or the failure that the step is.
type transition struct {
	*state
	failed string
}

// step returns what may come of the next step of a thread; nothing if it waits.
func (m *model) step(s *state, t int) []transition {
	o := &m.code[t][s.pc[t]]
	switch o.do {
	case "send", "recv":
		return m.communicate(s, t, []stmt{{do: o.do, obj: o.obj, v: o.v}}, false, false)
	case "select", "default":
		return m.communicate(s, t, o.cases, true, o.do == "default")
	case "timed":
		all := m.communicate(s, t, o.cases, true, false)
		if s.due[t] {
			all = append(all, transition{state: s.begin(t, len(o.cases))})
		}
		return all
	}
	n := s.clone()
	n.advance(t)
	failed, ok := n.do(m, t, o)
	if !ok {
		return nil
	}
	return []transition{{n, failed}}
}

// advance moves a thread past its step, which is one more of its clock.
func (s *state) advance(t int) {
	s.pc[t]++
	s.clocks[t][t]++
}

func (s *state) see(t, v int) { s.regs[t] = append(s.regs[t], v) }

// last is what a thread has observed last, 0 at first.
func (s *state) last(t int) int {
	if n := len(s.regs[t]); n > 0 {
		return s.regs[t][n-1]
	}
	return 0
}

// do makes a step that is no communication; ok is false if it has to wait.
func (s *state) do(m *model, t int, o *op) (failed string, ok bool) {
	switch o.do {
	case "go":
		s.started[o.obj] = true
		s.clocks[o.obj].join(s.clocks[t])
	case "yield":
	case "arm":
		s.arm(t, o.v)
	case "sleep":
		return "", s.due[t]
	case "if":
		if s.last(t) != o.v {
			s.pc[t] = o.jump
		}
	case "end":
		s.joined.n--
		s.joined.c.join(s.clocks[t])
	case "join":
		s.clocks[t].join(s.joined.c)
		return "", s.joined.n == 0
	case "read", "write":
		return s.access(t, o)
	case "load", "store", "add", "cas":
		s.atomics(t, o)
	case "done":
		if s.group.n--; s.group.n < 0 {
			return "panic", true
		}
		s.group.c.join(s.clocks[t])
	case "wgwait":
		s.clocks[t].join(s.group.c)
		return "", s.group.n == 0
	case "len":
		s.see(t, len(s.channel[o.obj].buf))
	case "close":
		c := &s.channel[o.obj]
		if c.closed {
			return "panic", true
		}
		c.closed, c.closedBy = true, s.clocks[t]
	case "once", "onceend":
		return "", s.onces(t, o)
	case "wait", "wake", "signal", "broadcast":
		return s.conditions(t, o)
	default:
		return s.locks(t, o)
	}
	return "", true
}

// access is a read or write of a plain variable.
func (s *state) access(t int, o *op) (failed string, ok bool) {
	x, now := &s.plain[o.obj], s.clocks[t]
	for u := range now {
		if u != t && (x.writes[u] > now[u] || o.do == "write" && x.reads[u] > now[u]) {
			return "race", true
		}
	}
	if o.do == "write" {
		x.v, x.writes[t] = o.v, now[t]
	} else {
		x.reads[t] = now[t]
		s.see(t, x.v)
	}
	return "", true
}

// atomics are ordered: a step is after the write that it observes.
func (s *state) atomics(t int, o *op) {
	a := &s.atomic[o.obj]
	write := true
	switch o.do {
	case "load":
		s.see(t, a.v)
		write = false
	case "store":
		a.v = o.v
	case "add":
		a.v += o.v
		s.see(t, a.v)
	case "cas":
		if write = a.v == o.v; write {
			a.v = o.w
			s.see(t, 1)
		} else {
			s.see(t, 0)
		}
	}
	if o.do != "store" {
		s.clocks[t].join(a.c)
	}
	if write {
		a.c = s.clocks[t]
	}
}

func (s *state) onces(t int, o *op) (ok bool) {
	c := &s.once[o.obj]
	switch {
	case o.do == "onceend":
		c.at, c.c = 2, s.clocks[t]
	case c.at == 0:
		c.at = 1
	case c.at == 1:
		return false
	default:
		s.clocks[t].join(c.c)
		s.pc[t] = o.jump
	}
	return true
}

// conditions: who waits queues up and unlocks in one step, and is woken in turn.
func (s *state) conditions(t int, o *op) (failed string, ok bool) {
	switch o.do {
	case "wait":
		s.queue[o.obj] = append(s.queue[o.obj], t)
		return s.locks(t, &op{do: "munlock", obj: o.obj})
	case "wake":
		if !s.woken[t] {
			return "", false
		}
		s.woken[t] = false
		s.clocks[t].join(s.wakes[t])
	default:
		for len(s.queue[o.obj]) > 0 {
			u := s.queue[o.obj][0]
			s.queue[o.obj] = s.queue[o.obj][1:]
			s.woken[u], s.wakes[u] = true, s.clocks[t]
			if o.do == "signal" {
				break
			}
		}
	}
	return "", true
}

func (s *state) locks(t int, o *op) (failed string, ok bool) {
	m, rw, now := &s.mutex[o.obj], &s.rw[o.obj], &s.clocks[t]
	switch o.do {
	case "mlock":
		if m.locked {
			return "", false
		}
		m.locked = true
		now.join(m.c)
	case "trylock":
		if s.see(t, 1); m.locked {
			s.regs[t][len(s.regs[t])-1] = 0
			s.pc[t] = o.jump
			break
		}
		m.locked = true
		now.join(m.c)
	case "munlock":
		if !m.locked {
			return "panic", true // a fatal error, really
		}
		m.locked = false
		m.c.join(*now)
	case "arrive":
		if rw.arrived {
			return "", false
		}
		rw.arrived = true
	case "wlock":
		if rw.readers > 0 {
			return "", false
		}
		rw.writing = true
		now.join(rw.writers)
		now.join(rw.left)
	case "wunlock":
		rw.arrived, rw.writing = false, false
		rw.writers.join(*now)
	case "rlock":
		if rw.arrived {
			return "", false
		}
		rw.readers++
		now.join(rw.writers)
	case "runlock":
		rw.readers--
		rw.left.join(*now)
	default:
		panic("unknown step " + o.do)
	}
	return "", true
}
