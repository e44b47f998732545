package sched

import (
	"container/heap"
	"time"
)

// Virtual time starts at 0 with each execution and stands still while any
// goroutine can go on, unless the strategy is a Timekeeper or one waits by
// reading the clock in a loop. When none can, it jumps to the earliest timer or
// sleep, and all that are due at that instant take effect at once.

// Start returns when the execution began by the virtual clock: Options.Start,
// unless the program makes uncontrolled calls, by which real time matters, for a
// deadline of a connection. Then it is the real time. Outside control it is the
// zero Time.
func Start() time.Time {
	if g := current(); g != nil {
		return g.x.start
	}
	return time.Time{}
}

// Now returns the virtual time since the start of the execution. It is no
// scheduling point; outside control it is 0. If a goroutine asks again and again
// at one moment, it waits in a loop: then time begins to pass.
func Now() time.Duration {
	g := current()
	if g == nil {
		return 0
	}
	if g.scheduled() {
		g.poll()
	}
	return g.x.now
}

const (
	pollThreshold = 32 // calls of Now at one moment after which a goroutine is taken to wait; guessed
	maxPoll       = time.Millisecond
)

// poll lets time pass, by twice as much each time, once g has asked for it often.
// Timers that become due so fire before the next operation.
func (g *goroutine) poll() {
	x := g.x
	if g.polls > pollThreshold && g.polled == x.now {
		x.polling = min(2*max(x.polling, time.Microsecond), maxPoll)
		x.now += x.polling
		x.change()
		x.result.Polled = x.result.Polled || len(x.goroutines) > 1
		g.polled = x.now
		return
	}
	if g.polled != x.now {
		g.polled, g.polls = x.now, 0
	}
	g.polls++
}

// Sleep returns after virtual time d; a scheduling point, at once enabled when
// d is not positive.
func Sleep(d time.Duration) {
	g := current()
	if g == nil {
		time.Sleep(d)
		return
	}
	op := Op{Kind: KindSleep, What: "time.Sleep"}
	if d > 0 && g.scheduled() {
		g.due = false
		if g.awake == nil {
			g.awake = func() bool { return g.due }
		}
		op.Enabled = g.awake
		g.x.timers.add(&Timer{when: g.x.now + d, sleeper: g}, g.x)
	}
	g.do(&op)
}

// A Timer calls a function at a moment of virtual time.
type Timer struct {
	object  Object
	when    time.Duration
	f       func()
	sleeper *goroutine // instead of f: the goroutine to wake
	clock   Clock      // of the goroutine that set it
	owner   int        // that goroutine, -1: a timer's function
	index   int        // in the heap, plus 1; 0: not set
	serial  int        // order of setting
	round   int        // in which it was set
	again   bool       // set by a timer's function, as tickers are
	x       *execution
}

// NewTimer sets a timer that calls f after virtual time d. Like the code
// between two scheduling points, f is one step, of no goroutine: engine
// operations in it are no scheduling points and must not wait, and what
// precedes NewTimer or Reset happens before it. It may set timers (its own too,
// for a ticker), start goroutines and send on a channel that has room.
func NewTimer(d time.Duration, f func()) *Timer {
	t := &Timer{f: f}
	if g := current(); g != nil {
		t.set(g, d)
	}
	return t
}

func (t *Timer) set(g *goroutine, d time.Duration) {
	t.when = g.x.now + max(d, 0)
	t.clock.set(g.clock)
	t.owner = g.id
	g.tick()
	g.x.timers.add(t, g.x)
}

// Stop unsets the timer and reports whether it was set; a scheduling point.
func (t *Timer) Stop() bool {
	g := current()
	if g == nil {
		return false
	}
	g.do(&Op{Kind: KindStore, Obj: &t.object, What: "timer.Stop"})
	return t.unset(g.x)
}

// Reset sets the timer anew to call its function after d and reports whether it
// was set; a scheduling point.
func (t *Timer) Reset(d time.Duration) bool {
	g := current()
	if g == nil {
		return false
	}
	g.do(&Op{Kind: KindStore, Obj: &t.object, What: "timer.Reset"})
	was := t.unset(g.x)
	t.set(g, d)
	return was
}

func (t *Timer) unset(x *execution) bool {
	if t.x != x || t.index == 0 {
		return false
	}
	heap.Remove(&x.timers, t.index-1)
	return true
}

// pass lets time pass up to the earliest timer; false when there is none. If
// skipping, timers that were set by timers' functions do not count.
func (x *execution) pass(skipping bool) bool {
	now, ok := x.timers.earliest(skipping)
	if !ok || x.result.Failure != nil {
		return false
	}
	for _, g := range x.alive {
		g.waitedLong = true
	}
	return x.advance(max(now, x.now))
}

// overdue has the timers fire that the clock has passed by polling.
func (x *execution) overdue() {
	if x.polling > 0 && len(x.timers.heap) > 0 && x.timers.heap[0].when <= x.now {
		x.advance(x.now)
	}
}

// maxComputing bounds the virtual time that computing takes in an execution. It
// is long enough to overtake short sleeps, and shorter than the sleeps by which
// tests are on the safe side.
const maxComputing = time.Millisecond // guessed

// compute lets time pass although goroutines can go on, if the strategy wants
// that; false if not.
func (x *execution) compute() bool {
	if x.keeper == nil || x.quiet || len(x.timers.heap) == 0 {
		return false
	}
	when := max(x.timers.heap[0].when, x.now)
	if x.computed+when-x.now > maxComputing || !x.keeper.Pass() {
		return false
	}
	x.result.Steps++
	x.result.Choices = append(x.result.Choices, Choice{G: timePassed})
	x.computed += when - x.now
	x.advance(when)
	return true
}

// advance lets time pass to a moment and everything due take effect.
func (x *execution) advance(now time.Duration) bool {
	x.wallClock.pass(x, now)
	x.now = now
	before := x.timers.count
	owner := running.Load()
	for len(x.timers.heap) > 0 {
		t := x.timers.heap[0]
		if t.when > x.now || t.serial > before {
			break // a timer set by a timer's function waits for the next round
		}
		heap.Remove(&x.timers, 0)
		x.fire(t)
	}
	running.Store(owner)
	if x.keeping {
		x.refresh(true)
	}
	return x.result.Failure == nil
}

// fire runs the function of t as the clerk, on the stack of the goroutine that
// happens to decide.
func (x *execution) fire(t *Timer) {
	if t.sleeper != nil {
		t.sleeper.due = true
		return
	}
	x.clerk.clock.set(t.clock)
	x.clerk.parent = t.owner
	running.Store(&x.clerk)
	t.f()
}

// timers is a heap of the timers that are set, the earliest first, of equals
// the one set first.
type timers struct {
	heap  []*Timer
	count int
}

func (h *timers) add(t *Timer, x *execution) {
	h.count++
	t.serial, t.x, t.again = h.count, x, running.Load() == &x.clerk
	t.round = x.rounds.now
	heap.Push(h, t)
}

// earliest returns when the first timer is due. If skipping, timers that were
// set by timers' functions do not count.
func (h *timers) earliest(skipping bool) (when time.Duration, ok bool) {
	if !skipping {
		if len(h.heap) == 0 {
			return 0, false
		}
		return h.heap[0].when, true
	}
	for _, t := range h.heap {
		if !t.again && (!ok || t.when < when) {
			when, ok = t.when, true
		}
	}
	return when, ok
}

func (h *timers) Len() int { return len(h.heap) }

func (h *timers) Less(i, j int) bool {
	a, b := h.heap[i], h.heap[j]
	return a.when < b.when || a.when == b.when && a.serial < b.serial
}

func (h *timers) Swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.heap[i].index, h.heap[j].index = i+1, j+1
}

func (h *timers) Push(t any) {
	h.heap = append(h.heap, t.(*Timer))
	t.(*Timer).index = len(h.heap)
}

func (h *timers) Pop() any {
	n := len(h.heap) - 1
	t := h.heap[n]
	h.heap[n] = nil
	h.heap = h.heap[:n]
	t.index = 0
	return t
}
