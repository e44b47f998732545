package sched

import (
	"container/heap"
	"math"
	"slices"
	"time"
)

// Virtual time starts at 0 with each execution and passes in jumps, each to the
// moment at which the earliest of the timers and sleeps is due: that one expires.
// It passes by itself when no goroutine can go on. That it passes before is a
// choice of the schedule, see expire.go, unless time-outs are believed
// (Options.Patience), or one waits by reading the clock in a loop.

// A virtualClock is a clock with the timers that are set by it.
type virtualClock struct {
	now    time.Duration // since the start of the execution, or of the bubble
	timers timers
}

// epoch is when bubbles begin by their clocks.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Local()

// Start returns when the execution began by the virtual clock: Options.Start,
// unless the program makes uncontrolled calls, by which real time matters, for a
// deadline of a connection. Then it is the real time, but not in a bubble. Outside
// control it is the zero Time.
func Start() time.Time {
	if g := current(); g != nil {
		if g.bubble != nil {
			return epoch
		}
		return g.x.time.start
	}
	return time.Time{}
}

// Now returns the virtual time since the start of the execution; outside control
// it is 0. It is a scheduling point where time might pass, see readClock. If a
// goroutine asks again and again at one moment, it waits in a loop: then time
// begins to pass.
func Now() time.Duration {
	g := current()
	if g == nil {
		return 0
	}
	if g.scheduled() && g.bubble == nil {
		g.readClock("time.Now", false)
		g.poll()
	}
	return g.time.now
}

// Moment is Now as a program reads it: no two calls have the same answer, as with the real
// clock. Outside bubbles each takes an instant, which timers know nothing of.
func Moment() time.Duration {
	now := Now()
	g := current()
	if g == nil || g.bubble != nil {
		return now
	}
	if g.scheduled() {
		g.x.time.instants += instant
	}
	return now + g.x.time.instants
}

// instant is longer than what tests take for the shortest time, a nanosecond, and no
// longer than it takes to ask the real clock.
const instant = 10 * time.Nanosecond

// sinceMoment is the duration that a program which has computed d from moments would have
// got without the instants: 10ms instead of 9.999998ms.
func (x *execution) sinceMoment(d time.Duration) time.Duration {
	if d <= 0 || d > math.MaxInt64-time.Microsecond {
		return d
	}
	if up := (d + time.Microsecond - 1).Truncate(time.Microsecond); up-d <= x.time.instants {
		return up
	}
	return d
}

const (
	pollThreshold = 32 // calls of Now at one moment after which a goroutine is taken to wait; guessed
	maxPoll       = time.Millisecond

	// idlePoll is how many calls with work in between count as one without: who stamps each of a thousand entries does
	// not wait. Guessed.
	idlePoll = 128
)

// poll lets time pass, by twice as much each time, once g has asked for it often.
// Timers that become due so fire before the next operation.
func (g *goroutine) poll() {
	x, c := g.x, g.time
	weight := idlePoll
	if g.pollPeriod != x.progress.period { // something has changed since
		weight = 1
	}
	if g.polls > idlePoll*pollThreshold && g.polled == c.now {
		x.time.polling = min(2*max(x.time.polling, time.Microsecond), maxPoll)
		c.now += x.time.polling
		x.change()
		x.result.Polled = x.result.Polled || len(x.goroutines) > 1
		g.polled = c.now
	} else {
		if g.polled != c.now {
			g.polled, g.polls = c.now, 0
		}
		g.polls += weight
	}
	g.pollPeriod = x.progress.period
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
		g.readClock(op.What, true)
		g.due = false
		if g.awake == nil {
			g.awake = func() bool { return g.due }
		}
		op.Enabled = g.awake
		t := &Timer{sleeper: g, what: op.What}
		t.set(g, d)
	}
	g.do(&op)
}

// A Timer calls a function at a moment of virtual time.
type Timer struct {
	object   Object
	time     *virtualClock // by which it was set last
	lasts    time.Duration // from the setting to the moment
	when     time.Duration
	f        func()
	does     Effect
	sleeper  *goroutine // instead of f: the goroutine to wake
	what     string     // for people: "time.Sleep"
	clock    Clock      // of the goroutine that set it
	owner    int        // that goroutine
	index    int        // in the heap, plus 1; 0: not set
	serial   int        // order of setting
	round    int        // in which it was set
	step     int        // after which it was set
	repeats  bool       // seems to be one of many in a row, see repeating
	again    bool       // set by a timer's function, as tickers are
	bubble   *Bubble    // in which it was set first
	place    position   // with Trace: where it was set
	ofTest   bool       // with TrustTests: a test file set it
	patience Patience   // with Guards: it is a test's patience
	waits    int        // how often it has waited for others, see awaited
	x        *execution
}

// NewTimer sets a timer that calls f after virtual time d. Like the code
// between two scheduling points, f is one step, of no goroutine: engine
// operations in it are no scheduling points and must not wait, and what
// precedes NewTimer or Reset happens before it. It may set timers (its own too,
// for a ticker), start goroutines and send on a channel that has room.
func NewTimer(d time.Duration, f func()) *Timer { return NewTimerFor(Anything, "timer", d, f) }

// NewTimerFor is NewTimer for a function that does no more than an Effect says,
// besides setting timers. What names the timer for people: "time.After".
func NewTimerFor(does Effect, what string, d time.Duration, f func()) *Timer {
	t := &Timer{f: f, does: does, what: what}
	if g := current(); g != nil {
		if g.scheduled() {
			g.readClock(what, true)
		}
		t.set(g, d)
	}
	return t
}

// set sets the timer by the clock of g.
func (t *Timer) set(g *goroutine, d time.Duration) {
	x := g.x
	if t.x != x {
		t.bubble = g.bubble
	}
	if t.bubble == nil {
		d = x.sinceMoment(d)
	}
	t.time, t.lasts = x.clockOf(t.bubble), max(d, 0)
	if t.when = t.time.now + t.lasts; t.when < 0 { // beyond the end of time
		t.when = math.MaxInt64
	}
	t.clock.set(g.clock)
	if t.owner = g.id; g.id < 0 {
		t.owner = g.parent
	} else if x.options.Trace || x.time.trusting || x.options.Lenient {
		t.place = where(0, deep, t.place)
		t.ofTest = (x.time.trusting || x.options.Lenient) && t.place.inTest()
	}
	if g.id >= 0 {
		t.patience = g.patience
		if t.patience == 0 && x.options.Lenient && (t.ofTest || slices.ContainsFunc(x.options.Handed, t.isFor)) {
			t.patience = Gives
		}
	} // else a ticker's tick sets it again
	t.waits = 0
	t.round, t.step, t.again = x.progress.rounds.now, x.result.Steps, g.id < 0
	t.repeats = t.again || t.sleeper.repeating()
	t.time.timers.add(t, x)
	g.tick()
	if t.bubble != nil && d <= 0 {
		t.fireNow(g)
	}
}

// isFor reports whether t lasts a duration, but for the moments that have passed when it is a
// difference to the present.
func (t *Timer) isFor(d time.Duration) bool { return t.lasts <= d && d-t.lasts <= d/100 }

// Stop unsets the timer and reports whether it was set; a scheduling point. A value
// that it has sent on its channel, and that nobody has received, is taken back:
// then, too, it was set.
func (t *Timer) Stop() bool {
	g := current()
	if g == nil {
		return false
	}
	t.guard(g, "stop")
	g.do(&Op{Kind: KindTimer, Obj: t.subject(), What: "timer.Stop"})
	return t.unset(g)
}

// Reset stops the timer and sets it anew to call its function after d. It reports
// what Stop does; a scheduling point.
func (t *Timer) Reset(d time.Duration) bool {
	g := current()
	if g == nil {
		return false
	}
	t.guard(g, "reset")
	g.do(&Op{Kind: KindTimer, Obj: t.subject(), What: "timer.Reset"})
	was := t.unset(g)
	t.set(g, d)
	return was
}

// subject is the object of Stop and Reset: what is received from the timer's
// channel depends on them.
func (t *Timer) subject() *Object {
	if c := t.does.channel; c != nil {
		return &c.object
	}
	return &t.object
}

func (t *Timer) unset(g *goroutine) bool {
	if t.x != g.x {
		return false
	}
	was := t.index > 0
	if was {
		heap.Remove(&t.time.timers, t.index-1)
	}
	if t.does.channel == nil || t.does.leaves || g.id < 0 {
		return was
	}
	return t.does.channel.drain() || was // a ticker is set, and may have sent
}

// pass lets time pass up to the earliest timer, and all that are due then expire;
// false when there is none. If skipping, timers that were set by timers' functions
// do not count.
func (x *execution) pass(skipping bool) bool {
	now, ok := x.time.clock.timers.earliest(skipping)
	if !ok || x.result.Failure != nil {
		return false
	}
	for _, g := range x.alive {
		g.waitedFor = x.time.clock.timers.heap[0]
	}
	return x.advance(max(now, x.time.clock.now))
}

// overdue has the timers fire that the clock has passed by polling.
func (x *execution) overdue() {
	if c := &x.time.clock; x.time.polling > 0 && len(c.timers.heap) > 0 && c.timers.heap[0].when <= c.now {
		x.advance(c.now)
	}
}

// maxComputing bounds the virtual time that computing takes in an execution in
// which time-outs are believed. It is long enough to overtake short sleeps, and
// shorter than the sleeps by which tests are on the safe side.
const maxComputing = time.Millisecond // guessed

// compute lets time pass although goroutines can go on, if the strategy wants
// that; false if not.
func (x *execution) compute() bool {
	c := &x.time.clock
	if x.by.keeper == nil || x.silent || len(c.timers.heap) == 0 {
		return false
	}
	when := max(c.timers.heap[0].when, c.now)
	if x.time.computed+when-c.now > maxComputing || x.by.keeper.Expire(1, false) < 0 {
		return false
	}
	x.result.Steps++
	x.result.Choices = append(x.result.Choices, Choice{Kind: TimePassed})
	x.time.computed += when - c.now
	x.advance(when)
	return true
}

// advance lets time pass to a moment and everything due take effect.
func (x *execution) advance(now time.Duration) bool {
	x.time.wallClock.pass(x, now)
	x.progress.ending = 0
	h := &x.time.clock.timers
	x.time.clock.now = now
	before := h.count
	for len(h.heap) > 0 {
		t := h.heap[0]
		if t.when > now || t.serial > before {
			break // a timer set by a timer's function waits for the next round
		}
		x.fire(t)
	}
	if x.ready.keeping {
		x.refresh(true)
	}
	return x.result.Failure == nil
}

// fire has t, which is due, take effect. Its function runs as the clerk, on the
// stack of the goroutine that happens to decide.
func (x *execution) fire(t *Timer) {
	heap.Remove(&t.time.timers, t.index-1)
	if t.sleeper != nil {
		t.sleeper.due = true
		return
	}
	owner := running.Load()
	x.time.clerk.clock.set(t.clock)
	x.time.clerk.parent, x.time.clerk.time, x.time.clerk.bubble = t.owner, t.time, t.bubble
	running.Store(&x.time.clerk)
	t.f()
	running.Store(owner)
}

// timers is a heap of the timers that are set, the earliest first, of equals
// the one set first.
type timers struct {
	heap  []*Timer
	count int
}

func (h *timers) add(t *Timer, x *execution) {
	h.count++
	t.serial, t.x = h.count, x
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
