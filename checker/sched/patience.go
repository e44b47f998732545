package sched

import (
	"container/heap"
	"time"
)

// A Patience says what the expiry of a time-out of a test leads to.
type Patience int8

// Patiences. Constants of the rewritten program name them.
const (
	Gives Patience = iota + 1 // to giving up
	Fails                     // to failing the test
)

// Guard1 calls f, which sets a time-out that is nothing but a test's patience.
func Guard1[A, R any](p Patience, f func(A) R, a A) R {
	defer patiently(p)()
	return f(a)
}

// Guard2 is Guard1 for a function of two parameters.
func Guard2[A, B, R any](p Patience, f func(A, B) R, a A, b B) R {
	defer patiently(p)()
	return f(a, b)
}

// GuardContext is Guard1 for one that makes a context.
func GuardContext[A, B, R, S any](p Patience, f func(A, B) (R, S), a A, b B) (R, S) {
	defer patiently(p)()
	return f(a, b)
}

// GuardCause is GuardContext for one that is given a cause, too.
func GuardCause[A, B, C, R, S any](p Patience, f func(A, B, C) (R, S), a A, b B, c C) (R, S) {
	defer patiently(p)()
	return f(a, b, c)
}

// GuardSleep is Guard1 for time.Sleep.
func GuardSleep[A any](p Patience, f func(A), a A) {
	defer patiently(p)()
	f(a)
}

// patiently has the timers that the calling goroutine sets be guards until the function is
// called that it returns.
func patiently(p Patience) (end func()) {
	g := current()
	if g == nil {
		return func() {}
	}
	before := g.patience
	g.patience = p
	return func() { g.patience = before }
}

// wait has tests be patient for longer, by the time that passes although goroutines can go
// on: however slow they are, it is not that which a test is there to find.
func (x *execution) wait(longer time.Duration, who func(*Timer) bool) {
	if !x.time.guarding {
		return
	}
	h := &x.time.clock.timers
	for _, t := range h.heap {
		if x.isPatience(t) && who(t) {
			t.when += longer
		}
	}
	heap.Init(h)
}

// mostWaits is how often a test's patience waits for a tick that is due later: a ticker whose
// tick nobody took ticks less often than the real one. Guessed.
const mostWaits = 3

// awaited is the tick for which a test's patience waits that would fail it now; nil if there
// is none.
func (x *execution) awaited() *Timer {
	h := &x.time.clock.timers
	if t := h.heap[0]; !x.isPatience(t) || t.patience != Fails || t.waits >= mostWaits {
		return nil
	}
	next := h.firstOf(nil, func(t *Timer) bool { return t.patience != Fails })
	if len(next) == 0 || !next[0].again {
		return nil
	}
	return next[0]
}

// waitFor has those wait that would have failed the test before t, which expires now.
func (x *execution) waitFor(t *Timer) {
	before := func(u *Timer) bool { return u.patience == Fails && u.when < t.when }
	for _, u := range x.time.clock.timers.heap {
		if x.isPatience(u) && before(u) {
			u.waits++
		}
	}
	x.wait(t.when-x.time.clock.now, before)
}

// givesUp reports whether, with nothing that can go on, a test's patience would end next
// and fail it, and nothing else is to come: then all that is blocked waits for ever.
func (x *execution) givesUp() bool {
	h := x.time.clock.timers.heap
	if !x.time.guarding || x.awaited() != nil || len(x.alive) == 0 || x.alive[0].id != 0 || x.environment.outside > 0 || x.environment.shares != "" {
		return false
	}
	for _, t := range h {
		if t.when == h[0].when && t.patience != Fails || t.patience == 0 && !t.repeats {
			return false
		}
	}
	return x.foreign() == ""
}
