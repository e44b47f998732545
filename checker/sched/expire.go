package sched

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Any goroutine may be slow, so a timer may expire although goroutines could still
// go on. That the earliest one does so is a choice of the schedule, as if the clock
// were a goroutine whose only operation, KindTime, is that time passes up to the
// next moment at which something is due. It counts as a preemption if that moment is
// still to come. Timers are due in the order of their moments. Of those that are due
// at one moment any may be the next, but for those whose setting happened after
// that of another.
//
// An execution in which time-outs are believed knows no such choice: time passes
// only when nothing can go on, and all that is due takes effect at once. That is how
// all executions were in earlier versions. A recorded schedule tells by a mark
// (ClockBegins), at the first use of a timer, that its timers are choices.

// timing is the time of an execution.
type timing struct {
	start time.Time // see Start
	wallClock
	clock  virtualClock
	clerk  goroutine     // what functions of timers run as
	turnAt time.Duration // when a turn came last, or was waited for, see TakeTurn

	settled  bool          // patience and patient are known, see settle
	clocked  bool          // reading the clock is a scheduling point
	patient  bool          // time-outs are believed
	trusting bool          // those that test files set are
	guarding bool          // tests' patience is, see guard
	patience time.Duration // time-outs that last so long or longer are believed, if it is not 0

	computed  time.Duration // of virtual time, while goroutines could go on and time-outs were believed
	instants  time.Duration // taken by calls of Moment
	polling   time.Duration // last step of the clock for who reads it in a loop
	expired   int           // steps when a timer last expired
	fruitless int           // how often time has passed since something was enabled
	bubbles   int           // so far
	expiring  []*Timer      // scratch
}

// TheClock is the G of the clock's operation.
const TheClock = -1

// An Effect is what the function of a timer may do, besides setting timers.
type Effect struct {
	channel  *channel // sends on it
	leaves   bool     // what was sent stays there when the timer is stopped
	starts   bool     // starts goroutines
	anything bool
}

// Effects of functions.
var (
	Anything = Effect{anything: true}
	Starts   = Effect{starts: true} // starts goroutines
)

// Sends is the Effect of a function that sends on c, which was made under control.
// Stop and Reset take a value back that was sent and not received.
func Sends[T any](c chan T) Effect {
	g := current()
	if g == nil {
		return Anything
	}
	state := g.x.channels[channelOf(c)]
	if state == nil {
		return Anything
	}
	g.x.meet(&state.object)
	return Effect{channel: state}
}

// Leaving is the Effect of a function that sends, of a timer as before Go 1.23: Stop
// and Reset leave in the channel what was sent.
func (e Effect) Leaving() Effect {
	e.leaves = true
	return e
}

// A TimeOut is a timer that expired although goroutines could go on.
type TimeOut struct {
	What      string        // "time.After", "context.WithTimeout", "time.Sleep"
	Lasts     time.Duration // from its setting
	Place     Place         // where it was set
	Overtaken Place         // a goroutine that could have gone on
}

// readClock is called before the clock is read, which setting a timer does too. If the
// program is known to use timers (Options.Clocked), it is a scheduling point, because
// time may pass before.
func (g *goroutine) readClock(what string, setting bool) {
	if g.bubble != nil {
		return // no time passes while one of a bubble can go on
	}
	x := g.x
	if !x.time.settled {
		x.settle(g, setting)
	}
	if x.time.clocked && !x.time.patient {
		g.do(&Op{Kind: KindClock, What: what})
	} else {
		x.result.Unannounced = x.result.Unannounced || len(x.goroutines) > 1 || len(g.time.timers.heap) > 0
	}
}

// settle finds out, when a timer is first used, whether time-outs are believed. A
// recorded schedule knows, and also whether reading the clock is a scheduling point
// from here on.
func (x *execution) settle(g *goroutine, setting bool) {
	x.result.Timed = x.result.Timed || setting
	mark := int(x.time.patience / time.Millisecond)
	for bit, set := range map[int]bool{trustMark: x.options.TrustTests, clockedMark: x.time.clocked, guardMark: x.options.Guards} {
		if set {
			mark |= bit
		}
	}
	if x.by.record != nil {
		switch next, marked := x.mark(); {
		case marked:
			mark = next
			x.time.patient = mark&patientMark != 0
		case setting:
			x.time.patient, x.time.settled = true, true
			return
		default:
			return
		}
	}
	if next, marked := x.mark(); marked {
		mark |= next & clockedMark
	}
	switch {
	case x.time.patient && (!setting || !x.options.Guards && mark&patientMark == 0), !setting && mark&clockedMark == 0:
		return
	case x.time.patient:
		mark = guardMark | patientMark
	}
	g.enter()
	defer g.release()
	x.time.settled = true
	x.time.trusting, x.time.clocked, x.time.guarding = mark&trustMark != 0, mark&clockedMark != 0, mark&guardMark != 0
	x.time.patience = time.Duration(mark&^marks) * time.Millisecond
	x.result.Choices = append(x.result.Choices, Choice{Kind: ClockBegins, N: mark})
	if x.by.record != nil {
		x.by.record.Take()
	}
}

// mark returns the mark that recorded choices have next; false if they have none.
func (x *execution) mark() (mark int, ok bool) {
	s, follows := x.by.strategy.(Follower)
	if !follows {
		return 0, false
	}
	c, ok := s.Peek()
	return c.N, ok && c.Kind == ClockBegins
}

// Bits of a mark: for Options.TrustTests, Options.Clocked and Options.Guards, and for
// time-outs that are all believed, where there are guards. Else that is without a mark.
const (
	trustMark   = 1 << 30
	clockedMark = 1 << 29
	guardMark   = 1 << 28
	patientMark = 1 << 27
	marks       = trustMark | clockedMark | guardMark | patientMark
)

// patience returns the bound of Options.Patience in whole milliseconds, and whether
// all time-outs are believed.
func (o *Options) patience() (bound time.Duration, all bool) {
	if o.Patience < 0 {
		return 0, true
	}
	const longest = (patientMark - 1) * time.Millisecond
	return min(o.Patience+time.Millisecond-1, longest).Truncate(time.Millisecond), false
}

// believes reports whether t does not expire early.
func (x *execution) believes(t *Timer) bool {
	return x.time.patient || x.time.patience > 0 && t.lasts >= x.time.patience || x.time.trusting && t.ofTest || x.isPatience(t)
}

// isPatience reports whether t is a test's patience, which does not end while others can go on.
func (x *execution) isPatience(t *Timer) bool { return x.time.guarding && t.patience != 0 }

// inTest reports whether a test file set a timer at a position.
func (at position) inTest() bool {
	frames := at.frames()
	return len(frames) > 0 && strings.HasSuffix(frames[0].File, "_test.go")
}

// expirable returns the timers of which one may expire next. If not idle, others
// could go on.
func (x *execution) expirable(idle bool) []*Timer {
	c := &x.time.clock
	if len(c.timers.heap) == 0 || !idle && x.environment.outside > 0 {
		return nil
	}
	list := x.time.expiring[:0]
	switch {
	case !idle && x.isPatience(c.timers.heap[0]):
		x.result.Believed = true
		list = c.timers.firstOf(list, func(t *Timer) bool { return !x.isPatience(t) })
		if len(list) == 0 {
			return nil
		}
	case idle && x.awaited() != nil:
		list = append(list, x.awaited())
	case idle && x.time.fruitless > maxPassed:
		list = c.timers.firstOf(list, func(t *Timer) bool { return !t.again })
	default:
		list = c.timers.first(list)
		if !idle && list[0].when > c.now && !slices.ContainsFunc(list, func(t *Timer) bool { return !t.repeats }) {
			list = c.timers.firstOf(list, func(t *Timer) bool { return !t.repeats })
		}
	}
	x.time.expiring = list
	if idle || x.time.patience == 0 && !x.time.trusting && !x.time.guarding {
		return list
	}
	n, due := 0, list[0].when <= c.now
	for _, t := range list {
		if x.isPatience(t) || !due && x.believes(t) {
			x.result.Believed = true
		} else {
			list[n] = t
			n++
		}
	}
	return list[:n]
}

// repeating reports whether g sleeps again and again.
func (g *goroutine) repeating() bool {
	if g == nil {
		return false
	}
	g.sleeps++
	return g.sleeps > fewSleeps
}

// fewSleeps is how often a goroutine sleeps without that counting as a loop. Time
// may pass up to the first timer behind ticks and such sleeps at once, or they would
// hide it. Guessed.
const fewSleeps = 2

// firstOf appends the first of the timers that fulfil a condition.
func (h *timers) firstOf(list []*Timer, want func(*Timer) bool) []*Timer {
	var first *Timer
	for _, t := range h.heap {
		if want(t) && (first == nil || t.when < first.when || t.when == first.when && t.serial < first.serial) {
			first = t
		}
	}
	if first == nil {
		return list
	}
	return append(list, first)
}

// first appends the timers that may expire next to list.
func (h *timers) first(list []*Timer) []*Timer {
	list = h.tied(list, 0)
	if len(list) == 1 {
		return list
	}
	for i := 1; i < len(list); i++ { // by serial
		for k := i; k > 0 && list[k].serial < list[k-1].serial; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	n := 0
	for i, t := range list {
		if !t.preceded(list[:i]) {
			list[n] = t // never one that preceded is still to be asked about
			n++
		}
	}
	return list[:n]
}

// tied appends the timers at and below a place of the heap that are due when the
// first one is.
func (h *timers) tied(list []*Timer, at int) []*Timer {
	if at >= len(h.heap) || h.heap[at].when != h.heap[0].when {
		return list
	}
	list = append(list, h.heap[at])
	return h.tied(h.tied(list, 2*at+1), 2*at+2)
}

// preceded reports whether one of others was set before t was, in every schedule:
// in a real program it is due earlier.
func (t *Timer) preceded(others []*Timer) bool {
	for _, u := range others {
		if t.clock.at(u.owner) >= u.clock.at(u.owner) {
			return true
		}
	}
	return false
}

// clockPending is the operation of the clock.
func (x *execution) clockPending(list []*Timer) Pending {
	p := Pending{G: TheClock, Kind: KindTime, Options: int32(len(list)), Early: list[0].when > x.time.clock.now}
	for _, t := range list {
		switch {
		case t.sleeper != nil:
			p.Channels |= sleeperBit(t.sleeper.id)
		case t.does.channel != nil:
			p.Channels |= t.does.channel.object.Bit()
		case t.does.starts:
			p.Scope = max(p.Scope, ScopeGo)
		default:
			p.Scope = ScopeAll
		}
	}
	return p
}

// withClock returns the enabled operations, with that of the clock last if the
// strategy chooses it like others.
func (x *execution) withClock(list []*Timer, idle bool) []Pending {
	if x.by.chooser == nil || len(list) == 0 {
		return x.ready.enabled
	}
	all := x.ready.scratch[:0]
	if !idle {
		all = append(all, x.ready.enabled...)
	}
	x.ready.scratch = append(all, x.clockPending(list))
	return x.ready.scratch
}

// expireNow asks a strategy that does not choose the clock like others which of n
// timers expires now; -1: none. It is false if nothing was asked.
func (x *execution) expireNow(n int, idle bool) (v int, asked bool) {
	switch {
	case n == 0 || x.by.chooser != nil:
		return -1, false
	case x.by.keeper != nil:
		v = x.by.keeper.Expire(n, idle)
	case !idle:
		v = -1
	case n > 1:
		v = x.by.strategy.Choose(n)
	}
	if v >= n {
		panic(fmt.Sprintf("strategy chose timer %d of %d", v, n))
	}
	return v, true
}

// sleeperBit stands for a sleeper in the Channels of the clock's operation.
func sleeperBit(g int) uint64 { return 1 << (uint(g) % 64) }

// expires has one of the timers that may expire next do so. If idle, nothing
// else could go on.
func (x *execution) expires(list []*Timer, v int, idle, yielding bool) {
	t := list[v]
	passes := t.when > x.time.clock.now
	x.result.Steps++
	x.result.Choices = append(x.result.Choices, Choice{Kind: Expiry, N: v})
	switch {
	case idle:
		x.idled(t, passes)
		if passes && t.patience != Fails {
			x.waitFor(t)
		}
	case passes:
		x.result.Preempted++
		x.result.Early++
		x.overtake(t)
		x.wait(t.when-x.time.clock.now, func(*Timer) bool { return true })
	case x.last >= 0 && !yielding && Index(x.ready.enabled, x.last) >= 0:
		x.result.Preempted++
	}
	x.last = TheClock
	x.progress.quiet, x.progress.period, x.time.expired = x.result.Steps, x.progress.period+1, x.result.Steps
	if x.time.wallClock.pass(x, t.when); passes {
		x.progress.ending = 0
	}
	x.time.clock.now = max(x.time.clock.now, t.when)
	h := &x.time.clock.timers
	for before := h.count; h.heap[0] != t && h.heap[0].when < t.when && h.heap[0].serial <= before; {
		x.fire(h.heap[0])
	}
	x.fire(t)
	if x.ready.keeping {
		x.refresh(true)
	}
}

// idled notes that time had to pass up to t, since nobody could go on.
func (x *execution) idled(t *Timer, passes bool) {
	if passes || t.round == x.progress.rounds.now { // else it only comes after another at that moment
		x.progress.rounds.now++
	}
	for _, g := range x.alive {
		if passes {
			g.waitedFor = t
		}
	}
}

// overtake notes that t expires before a goroutine that could go on.
func (x *execution) overtake(t *Timer) {
	if !x.options.Trace {
		return
	}
	slow := x.goroutines[x.ready.enabled[0].G]
	if x.last >= 0 && Index(x.ready.enabled, x.last) >= 0 {
		slow = x.goroutines[x.last]
	}
	x.note(t, slow)
}

// note adds a time-out that came before a goroutine went on.
func (x *execution) note(t *Timer, slow *goroutine) {
	if !x.options.Trace {
		return
	}
	o := TimeOut{What: t.what, Lasts: t.lasts, Overtaken: Place{What: slow.pending.What, Goroutine: x.name(slow)}}
	o.Place.locate(t.place)
	if slow.pending.Kind == KindStart {
		o.Overtaken.locate(slow.spawnSite)
	} else {
		o.Overtaken.locate(slow.position)
	}
	x.result.TimeOuts = append(x.result.TimeOuts, o)
}

// quietSteps is after how many steps that leave no trace, and that look at nothing
// new, time passes although goroutines could go on: they seem to wait for that in a
// loop. Guessed.
const quietSteps = 200

// stalled reports whether the goroutines that go on do nothing but look.
func (x *execution) stalled() bool {
	return !x.time.patient && len(x.time.clock.timers.heap) > 0 && x.result.Steps-x.progress.quiet >= quietSteps
}

// patientShare is the part of the steps that an execution may make after which a timer
// expires although goroutines go on that do more than look: in a program whose
// goroutines send each other bytes without end, time passes meanwhile. Guessed: longer
// than what tests compute, and such that three of them expire before the execution ends.
const patientShare = 4

// overrun reports whether goroutines have gone on for so long that one of some timers,
// which may expire early, has to.
func (x *execution) overrun(list []*Timer) bool {
	most := x.options.Steps / patientShare
	if len(list) == 0 || x.result.Steps-x.time.expired < most || x.recorded() {
		return false
	}
	over := slices.ContainsFunc(list, func(t *Timer) bool { return x.result.Steps-t.step >= most })
	x.result.Polled = x.result.Polled || over
	return over
}

// someKept reports whether a goroutine that could go on has made no step since others do
// nothing but look: it is its turn, and time does not pass for them.
func (x *execution) someKept() bool {
	return slices.ContainsFunc(x.ready.enabled, func(p Pending) bool { return x.goroutines[p.G].stepped <= x.progress.quiet })
}
