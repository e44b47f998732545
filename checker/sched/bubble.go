package sched

import (
	"slices"
	"time"
	"unsafe"
)

// A bubble of testing/synctest is a set of goroutines with a clock of their own:
// the one that calls synctest.Test (the root), and all that are started in it from
// then on. Two operations wait until the others of a bubble are durably blocked
// (KindIdle): synctest.Wait, and one of the root, which lets the bubble's time
// pass, or ends the bubble. So both are steps of the schedule like any other.
//
// The model is runtime/synctest.go of Go 1.26.

// A Bubble is a bubble of the running execution.
type Bubble struct {
	x      *execution
	number uint8      // from 1, and again from 1 after 255
	root   *goroutine // that called RunBubble
	waiter *goroutine // in WaitBubble
	ended  bool       // the goroutine that runs the function has
	dead   bool       // RunBubble has panicked
	left   int        // goroutines beside root that have not ended
	time   virtualClock
	object Object // of WaitBubble
	past   Clock  // of goroutines that have ended
}

// Bubbled returns the bubble of the calling goroutine; nil outside bubbles and
// outside control.
func Bubbled() *Bubble {
	if g := current(); g != nil {
		return g.bubble
	}
	return nil
}

// RunBubble runs f in a bubble: in a new goroutine, whose place of creation is
// site. It returns when all goroutines of the bubble have ended, and panics if
// they are blocked for ever, or in a bubble. The caller is under control.
func RunBubble(site string, f func()) {
	g := current()
	if g.bubble != nil {
		panic("synctest.Run called from within a synctest bubble")
	}
	x := g.x
	x.time.bubbles++
	b := &Bubble{x: x, number: uint8((x.time.bubbles-1)%255) + 1, root: g}
	g.bubble, g.seen.Bubble, g.time = b, b.number, &b.time
	defer func() { g.bubble, g.seen.Bubble, g.time = nil, 0, &x.time.clock }()
	GoAt(site, func() {
		defer func() { b.ended = true }()
		f()
	})
	idle := func() bool { return b.waiter == nil && b.idle() }
	for {
		g.do(&Op{Kind: KindIdle, Enabled: idle, What: "synctest.Test"})
		g.enter()
		passed := x.giveWay(b) || b.pass() || x.unordered(b)
		g.release()
		if !passed {
			break
		}
	}
	b.observe(g)
	if b.left > 0 {
		b.dead = true
		panic(&bubbleDeadlock{b})
	}
}

// WaitBubble waits until all other goroutines of the caller's bubble are durably
// blocked. What they did before happens before its return. It panics outside
// bubbles, and if another goroutine is waiting. The caller is under control.
func WaitBubble() {
	g := current()
	b := g.bubble
	if b == nil {
		panic("goroutine is not in a bubble")
	}
	g.do(&Op{Kind: KindWait, Obj: &b.object, What: "synctest.Wait"})
	if b.waiter != nil {
		panic("wait already in progress")
	}
	b.waiter = g
	g.do(&Op{Kind: KindIdle, Enabled: b.idle, What: "synctest.Wait"})
	b.waiter = nil
	b.observe(g)
}

// observe makes all that was done in b happen before what g does next. All others
// have begun to wait.
func (b *Bubble) observe(g *goroutine) {
	g.enter()
	defer g.release()
	g.clock.join(b.past)
	for _, h := range b.x.alive {
		if h.bubble == b && h != g && h != b.root {
			g.clock.join(h.clock)
			h.tick()
			h.rest()
		}
	}
}

// idle reports whether all goroutines of b are durably blocked, or wait in a
// KindIdle operation.
func (b *Bubble) idle() bool {
	for _, g := range b.x.alive {
		if g.bubble == b && g != b.waiter && !g.durablyBlocked() {
			return false
		}
	}
	return true
}

// durablyBlocked reports whether only goroutines of its own bubble, or the bubble's
// time, can make g go on.
func (g *goroutine) durablyBlocked() bool {
	op := &g.pending
	switch {
	case op.Kind == KindIdle:
		return true
	case g.away || g.adopted || op.Enabled == nil || op.Enabled():
		return false
	case op.Kind == KindSend || op.Kind == KindRecv || op.Kind == KindSelect:
		return !slices.ContainsFunc(g.waiters, func(p waiter) bool { return p.c != nil && p.c.bubble != g.bubble })
	}
	return op.Durable || op.Kind == KindSleep
}

// clockOf is the clock of b, or of the execution if b is nil.
func (x *execution) clockOf(b *Bubble) *virtualClock {
	if b != nil {
		return &b.time
	}
	return &x.time.clock
}

// pass lets the time of b pass up to the next timer that wakes a goroutine, and
// what is due then take effect; false if there is none, or time has stopped.
//
// Timers that are due at the same moment fire in any order, and goroutines go on in
// between. So all but sleepers fire in goroutines of their own.
func (b *Bubble) pass() bool {
	c := &b.time
	for _, g := range b.x.alive {
		if g.bubble == b {
			g.rest()
		}
	}
	b.x.progress.rested = b.x.result.Steps
	for ticks := 0; !b.ended && len(c.timers.heap) > 0; ticks++ {
		when, ok := c.timers.earliest(ticks > maxTicks)
		if !ok {
			break
		}
		c.now = max(c.now, when)
		if b.fireDue(); !b.idle() {
			return true
		}
	}
	return false
}

// maxTicks is how many ticks that wake nobody pass one by one. After that, if there
// are only tickers, the goroutines count as blocked for ever: the real program
// would go on ticking. Guessed.
const maxTicks = 10_000

// fireDue has the timers fire that are due: sleepers at once, and another one if it
// is alone, since all others wait.
func (b *Bubble) fireDue() {
	var due []*Timer
	woken := false
	for _, t := range b.time.timers.upTo(nil, b.time.now, 0) {
		if t.sleeper != nil {
			b.x.fire(t)
			woken = true
		} else {
			due = append(due, t)
		}
	}
	if len(due) == 1 && !woken {
		b.x.fire(due[0])
		return
	}
	slices.SortFunc(due, func(t, u *Timer) int { return t.serial - u.serial })
	for _, t := range due {
		t.fireLater()
	}
}

// upTo appends the timers at and below a place of the heap that are due at a moment.
func (h *timers) upTo(list []*Timer, now time.Duration, at int) []*Timer {
	if at >= len(h.heap) || h.heap[at].when > now {
		return list
	}
	list = append(list, h.heap[at])
	return h.upTo(h.upTo(list, now, 2*at+1), now, 2*at+2)
}

// fireNow has t fire at once, in the step in which g sets it.
func (t *Timer) fireNow(g *goroutine) {
	g.enter()
	g.x.fire(t)
	g.release()
}

// fireLater has t, which is due, fire in a step of a goroutine of its own.
func (t *Timer) fireLater() {
	h := t.x.create("timer", nil)
	h.body = func() {
		h.enter()
		defer h.release()
		if t.index > 0 && t.when <= t.time.now { // else it was stopped meanwhile
			t.x.fire(t)
		}
	}
	h.parent = t.owner
	h.tick()
	h.join(t.bubble)
	h.announce(&Op{Kind: KindFire, Obj: t.subject(), What: t.what})
	h.seen.Scope = ScopeAll
	switch {
	case t.does.channel != nil:
		h.seen.Scope = ScopeObject
	case t.does.starts:
		h.seen.Scope = ScopeGo
	}
}

// join makes g, which has just been created, a goroutine of b.
func (g *goroutine) join(b *Bubble) {
	if b != nil {
		g.bubble, g.seen.Bubble, g.time = b, b.number, &b.time
		b.left++
	}
}

// leave notes the end of g, a goroutine of b.
func (b *Bubble) leave(g *goroutine) {
	b.left--
	b.past.join(g.clock)
}

// dependsInBubble is dependent where a or b waits for a bubble to be idle, or is a
// timer of one. All that goroutines of the bubble do decides when it is. And what
// fires then may create goroutines.
func dependsInBubble(a, b *Pending) bool {
	if a.Kind < b.Kind {
		a, b = b, a
	}
	switch {
	case b.Kind == KindIdle:
		return true
	case a.Kind == KindIdle:
		return a.Bubble == b.Bubble || b.Kind == KindGo
	}
	return a.firesOn(b) || b.Kind == KindFire && b.firesOn(a)
}

// firesOn reports whether the timer that p fires concerns another operation.
func (p *Pending) firesOn(other *Pending) bool {
	starts := other.Kind == KindGo || other.Kind == KindFire && other.Scope == ScopeGo
	return p.Scope == ScopeAll || p.Scope == ScopeGo && starts ||
		p.Obj == other.Obj || p.Channels&other.Channels != 0
}

// Exclusive reports whether two dependent operations can never both be
// enabled because one waits until the goroutine of the other is blocked (in a bubble, or
// because it gives way, see TakeTurn). Neither
// then enables an order in which the other comes first: that takes another step,
// which blocks that goroutine, and which is compared with the operation itself.
func Exclusive(a, b *Pending) bool {
	return a.alone(b) || b.alone(a) || a.Bubble != 0 && a.Bubble == b.Bubble && (a.Kind == KindIdle || b.Kind == KindIdle)
}

// A bubbleDeadlock is the value of the panic of a bubble whose goroutines are
// blocked for ever.
type bubbleDeadlock struct{ b *Bubble }

func (e *bubbleDeadlock) Error() string {
	if e.b.ended {
		return "deadlock: main bubble goroutine has exited but blocked goroutines remain"
	}
	return "deadlock: all goroutines in bubble are blocked"
}

// failure makes a failure of a panic that nobody recovered.
func (e *bubbleDeadlock) failure() *Failure {
	for _, g := range e.b.x.alive {
		if g.bubble == e.b && g != e.b.root {
			e.b.x.blocked = append(e.b.x.blocked, g)
		}
	}
	return &Failure{Kind: Deadlock, Message: "panic: " + e.Error() + "\n"}
}

// checkBubble ends the execution if g, which announces operations on channels, is
// not in the bubble that one of them was made in.
func (g *goroutine) checkBubble() {
	for i := range g.waiters {
		p := &g.waiters[i]
		if p.c == nil || p.c.bubble == nil || p.c.bubble == g.bubble {
			continue
		}
		what := "receive on"
		switch {
		case len(g.waiters) > 1:
			what = "select on"
		case p.send:
			what = "send on"
		}
		g.outsideBubble(what + " synctest channel")
	}
}

// guard ends the execution if g, which is to stop or reset t, must not.
func (t *Timer) guard(g *goroutine, what string) {
	if t.x == g.x && t.bubble != nil && g.bubble == nil {
		g.outsideBubble(what + " of synctest timer")
	}
}

// unreported are those of goroutines that are blocked for ever of whose bubble this
// was not said yet, by a panic that was recovered.
func (x *execution) unreported(blocked []*goroutine) []*goroutine {
	dead := func(g *goroutine) bool { return g.bubble != nil && g.bubble.dead }
	if x.time.bubbles == 0 || !slices.ContainsFunc(blocked, dead) {
		return blocked
	}
	return slices.DeleteFunc(slices.Clone(blocked), dead)
}

// outsideBubble ends the execution because of an operation of g on something of
// another bubble.
func (g *goroutine) outsideBubble(what string) {
	f := &Failure{Kind: Panic, Message: "fatal error: " + what + " from outside bubble"}
	if g.adopted {
		f = &Failure{Kind: Uncontrolled, Message: what + " in a goroutine that was started by code that is not under control"}
	}
	g.stop(f)
	if g.id >= 0 {
		g.quit()
	}
}

// Unbubble makes c a channel of no bubble, and Bubble one of the caller's: a
// context's channel is made when it is asked for.
func Unbubble[T any](c chan T) { associate(*(*unsafe.Pointer)(unsafe.Pointer(&c)), false) }

// Enbubble is described at Unbubble.
func Enbubble[T any](c chan T) { associate(*(*unsafe.Pointer)(unsafe.Pointer(&c)), true) }

func associate(real unsafe.Pointer, with bool) {
	g := current()
	if g == nil || g.x.time.bubbles == 0 {
		return
	}
	if c := g.x.channels[real]; c != nil {
		c.bubble = nil
		if with {
			c.bubble = g.bubble
		}
	}
}
