package explore

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A litmus program is a few threads of abstract operations. Thread 0 is the
// test; the others run once a goOp names them. This file says what the programs
// mean, from the Go specification, the memory model and the documentation of
// sync, and knows nothing of the engine; litmus_engine_test.go runs the same
// programs under the engine.
type litmus struct {
	name    string
	caps    []int // of the channels
	threads [][]op
}

type op struct {
	do    string
	obj   int
	v, w  int
	cases []op // of a select
	jump  int  // of onceBegin: where to go if it was done
}

const objects = 2 // of each kind

// A machine is a state of a program.
type machine struct {
	p       *litmus
	pc      []int
	started []bool
	regs    [][]int // what each thread has observed
	locked  [objects]bool
	writer  [objects]bool // a writer has arrived
	writing [objects]bool
	readers [objects]int
	buf     [][]int
	closed  []bool
	queue   [objects][]int // of waiters for a condition
	woken   []bool
	group   [objects]int
	once    [objects]int // 1 running, 2 done
	atomics [objects]int
	plain   [objects]int
	panic   string
	timing  timing
}

func newMachine(p *litmus) *machine {
	n := len(p.threads)
	m := &machine{p: p, pc: make([]int, n), started: make([]bool, n), regs: make([][]int, n),
		woken: make([]bool, n), buf: make([][]int, len(p.caps)), closed: make([]bool, len(p.caps))}
	m.started[0] = true
	m.timing.known, m.timing.asleep = make([][]int, n), make([]bool, n)
	return m
}

func (m *machine) clone() *machine {
	c := *m
	c.pc, c.started, c.woken, c.closed = slices.Clone(m.pc), slices.Clone(m.started), slices.Clone(m.woken), slices.Clone(m.closed)
	c.regs, c.buf = cloneAll(m.regs), cloneAll(m.buf)
	for i := range c.queue {
		c.queue[i] = slices.Clone(m.queue[i])
	}
	c.timing = m.timing.clone()
	return &c
}

func cloneAll(lists [][]int) [][]int {
	c := slices.Clone(lists)
	for i := range c {
		c[i] = slices.Clone(c[i])
	}
	return c
}

func (m *machine) key() string {
	return fmt.Sprint(m.pc, m.started, m.regs, m.locked, m.writer, m.writing, m.readers, m.buf, m.closed,
		m.queue, m.woken, m.group, m.once, m.atomics, m.plain, m.panic, m.timing)
}

// op returns the operation that thread t is at; nil if it has none.
func (m *machine) op(t int) *op {
	if !m.started[t] || m.pc[t] == len(m.p.threads[t]) {
		return nil
	}
	return &m.p.threads[t][m.pc[t]]
}

// next returns a copy in which thread t has got past its operation.
func (m *machine) next(t int, observed ...int) *machine {
	c := m.clone()
	c.pc[t]++
	c.regs[t] = append(c.regs[t], observed...)
	return c
}

// modelOutcomes returns all ways in which the program can end.
func modelOutcomes(p *litmus) map[string]bool {
	found, seen := map[string]bool{}, map[string]bool{}
	var visit func(m *machine)
	visit = func(m *machine) {
		if key := m.key(); seen[key] {
			return
		} else {
			seen[key] = true
		}
		if m.panic != "" {
			found["panic: "+m.panic] = true
			return
		}
		stuck := true
		for t := range p.threads {
			for _, n := range m.successors(t) {
				stuck = false
				visit(n)
			}
		}
		for _, n := range m.expire() {
			stuck = false
			visit(n)
		}
		if stuck {
			found[m.outcome()] = true
		}
	}
	visit(newMachine(p))
	return found
}

func (m *machine) outcome() string {
	status := "ok"
	for t := len(m.pc) - 1; t >= 0; t-- {
		if m.op(t) != nil {
			status = "blocked"
			if t == 0 {
				status = "deadlock"
			}
		}
	}
	return litmusOutcome(status, m.pc, m.regs, m.atomics, m.plain)
}

func litmusOutcome(status string, pc []int, regs [][]int, atomics, plain [objects]int) string {
	return fmt.Sprint(status, " at ", pc, " saw ", regs, " atomics ", atomics, " plain ", plain)
}

// successors returns the states that a step of thread t leads to.
func (m *machine) successors(t int) []*machine {
	o := m.op(t)
	if o == nil || m.timing.asleep[t] {
		return nil
	}
	switch o.do {
	case "send", "recv":
		return m.communicate(t, []op{*o}, false)
	case "select":
		return m.communicate(t, o.cases, false)
	case "selectDefault":
		return m.communicate(t, o.cases, true)
	}
	n := m.next(t)
	if !n.simple(t, o) {
		return nil
	}
	return []*machine{n}
}

// simple does an operation with one way to do it; false if it has to wait.
func (m *machine) simple(t int, o *op) bool {
	x := o.obj
	see := func(v int) { m.regs[t] = append(m.regs[t], v) }
	switch o.do {
	case "go":
		m.start(o.v, m.timing.known[t])
	case "yield":
	case "lock":
		if m.locked[x] {
			return false
		}
		m.locked[x] = true
	case "trylock":
		see(b2i(!m.locked[x]))
		m.locked[x] = true
	case "unlock":
		if !m.locked[x] {
			m.panic = "unlock"
		}
		m.locked[x] = false
	case "arrive":
		if m.writer[x] {
			return false
		}
		m.writer[x] = true
	case "wlock":
		if m.readers[x] > 0 {
			return false
		}
		m.writing[x] = true
	case "wunlock":
		m.writer[x], m.writing[x] = false, false
	case "rlock":
		if m.writer[x] {
			return false
		}
		m.readers[x]++
	case "runlock":
		m.readers[x]--
	case "close":
		if m.closed[x] {
			m.panic = "close"
		}
		m.closed[x] = true
	case "len":
		see(len(m.buf[x]))
	default:
		return m.rest(t, o, see)
	}
	return true
}

func (m *machine) rest(t int, o *op, see func(int)) bool {
	x := o.obj
	switch o.do {
	case "condWait": // of the condition x on mutex x
		m.queue[x] = append(m.queue[x], t)
		m.locked[x] = false
	case "condWake":
		if !m.woken[t] {
			return false
		}
		m.woken[t] = false
	case "signal", "broadcast":
		for len(m.queue[x]) > 0 {
			m.woken[m.queue[x][0]] = true
			m.queue[x] = m.queue[x][1:]
			if o.do == "signal" {
				break
			}
		}
	case "wgAdd":
		if m.group[x] += o.v; m.group[x] < 0 {
			m.panic = "negative"
		}
	case "wgWait":
		return m.group[x] == 0
	case "onceBegin":
		switch m.once[x] {
		case 0:
			m.once[x] = 1
		case 1:
			return false
		case 2:
			m.pc[t] = o.jump
		}
	case "onceEnd":
		m.once[x] = 2
	case "load":
		see(m.atomics[x])
	case "store":
		m.atomics[x] = o.v
	case "add":
		m.atomics[x] += o.v
		see(m.atomics[x])
	case "cas":
		see(b2i(m.atomics[x] == o.v))
		if m.atomics[x] == o.v {
			m.atomics[x] = o.w
		}
	case "await": // for x == v; one look, which yields before the next
		if m.atomics[x] != o.v {
			m.pc[t]--
		}
	case "plain":
		m.plain[x] = m.plain[x]*10 + o.v
	default:
		return m.clocked(t, o, see)
	}
	return true
}

// communicate does one of the cases.
func (m *machine) communicate(t int, cases []op, otherwise bool) (after []*machine) {
	ready := false
	selecting := m.op(t).do != "send" && m.op(t).do != "recv"
	for i, c := range cases {
		seen := []int{}
		if selecting {
			seen = append(seen, i)
		}
		var full []int
		if c.obj >= 0 {
			full = m.buf[c.obj]
		}
		switch {
		case c.obj < 0: // nil channel
		case c.do == "send" && m.closed[c.obj]:
			n := m.next(t)
			n.panic = "send"
			after, ready = append(after, n), true
		case c.do == "send" && len(full) < m.p.caps[c.obj]:
			n := m.next(t, seen...)
			n.buf[c.obj] = append(n.buf[c.obj], c.v)
			after, ready = append(after, n), true
		case c.do == "recv" && len(full) > 0:
			n := m.next(t, append(seen, full[0])...)
			n.buf[c.obj] = n.buf[c.obj][1:]
			after, ready = append(after, n), true
		case c.do == "recv" && m.closed[c.obj]:
			after, ready = append(after, m.next(t, append(seen, -1)...)), true
		case m.p.caps[c.obj] == 0:
			after = append(after, m.meet(t, c, seen)...)
		}
	}
	if otherwise && !ready {
		after = append(after, m.next(t, len(cases)))
	}
	return after
}

// meet matches case c of thread t with every thread that waits at the opposite.
func (m *machine) meet(t int, c op, seen []int) (after []*machine) {
	for u := range m.pc {
		o := m.op(u)
		if u == t || o == nil || m.timing.asleep[u] {
			continue
		}
		theirs, selecting := []op{*o}, o.do == "select"
		if selecting {
			theirs = o.cases
		}
		for i, d := range theirs {
			if d.obj != c.obj || !(c.do == "send" && d.do == "recv" || c.do == "recv" && d.do == "send") {
				continue
			}
			mine, other := slices.Clone(seen), []int{}
			if selecting {
				other = append(other, i)
			}
			if c.do == "send" {
				other = append(other, c.v)
			} else {
				mine = append(mine, d.v)
			}
			n := m.next(t, mine...)
			n.pc[u]++
			n.regs[u] = append(n.regs[u], other...)
			after = append(after, n)
		}
	}
	return after
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func lines(set map[string]bool) string {
	var all []string
	for s := range set {
		all = append(all, s)
	}
	sort.Strings(all)
	return strings.Join(all, "\n")
}
