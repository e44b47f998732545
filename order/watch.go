package order

import (
	"runtime"
	"time"
)

// A verdict is what the watcher found when an order could not be kept.
type verdict struct {
	reason  string
	waits   []wait
	came    []int
	passed  []passing
	program *view
}

// A wait is a goroutine in At, at the time of the verdict.
type wait struct {
	key   int
	place place
	lacks string
}

// watch looks at goroutines, tells when they are blocked, and when nothing can
// go on, until the test ends.
func (r *run) watch() {
	look := r.watchProcess
	if r.bubble != "" {
		look = r.watchBubble
	}
	if r.why = look(); r.why != nil {
		close(r.verdict)
	}
	close(r.watched)
}

// The process is looked at after the shortest of these times, and then after half as much
// again each time, as long as nothing happens: up to the longest, or, while an event waits
// for a goroutine to be blocked, up to the middle one.
const (
	shortest = time.Millisecond
	middle   = 5 * time.Millisecond
	longest  = 50 * time.Millisecond
)

//go:norace
func (r *run) watchProcess() *verdict {
	earlier := new(view)
	events, since := -1, time.Now() // how many events there were, and since when
	quiet := since                  // since when views are equal
	for between := shortest; ; {
		timer := time.NewTimer(between)
		select {
		case <-r.stop:
			timer.Stop()
			return nil
		case <-r.kick:
			timer.Stop()
			time.Sleep(shortest) // two views lie apart, whatever came between
		case <-timer.C:
		}
		r.lock()
		now, clock := dump(), time.Now()
		b := &seen{now, earlier}
		if r.advance(b); r.events != events {
			events, since, quiet, between = r.events, clock, clock, shortest
		}
		if !now.equal(earlier) {
			quiet = clock
		}
		limit, reason := r.limit(now.rest())
		if reason == noEvent && clock.Sub(since) >= limit || reason == nothingGoesOn && clock.Sub(quiet) >= limit {
			if v := r.conclude(reason, now, b); v != nil {
				r.unlock()
				return v
			}
		}
		most := longest
		if r.awaitsBlock() {
			most = middle
		}
		r.unlock()
		if between += between / 2; between > most {
			between = most
		}
		earlier = now
	}
}

// Reasons why an order cannot be kept.
const (
	nothingGoesOn = "nothing can go on"
	noEvent       = "no event comes, though goroutines go on"
)

// limit is how long a program may be as it is, and what that means then; no reason is for ever.
//
//go:norace
func (r *run) limit(at rest) (time.Duration, string) {
	d := r.within
	switch {
	case at == busy && r.waiting == 0:
		return 0, ""
	case at == busy:
		return d, noEvent
	case at == perhaps:
		d /= 10
	default:
		d /= 100
	}
	if r.waiting == 0 {
		return 10 * d, nothingGoesOn
	}
	if r.mode == try {
		d /= 10
	}
	return d, nothingGoesOn
}

// conclude returns the verdict, unless it gives way.
//
//go:norace
func (r *run) conclude(reason string, program *view, b *seen) *verdict {
	if r.mode == try && r.waiting > 0 {
		r.giveWay(b)
		return nil
	}
	v := &verdict{reason: reason, program: program}
	for i := range r.names {
		n := &r.names[i]
		for _, w := range n.queue {
			key := r.key(n)
			v.waits = append(v.waits, wait{key, w.place, r.lacks(key, b)})
		}
	}
	v.came = append(v.came, r.came...)
	v.passed = append(v.passed, r.passed...)
	return v
}

// bubbleLimit is how long goroutines of a bubble may be durably blocked.
const bubbleLimit = time.Hour

// watchBubble looks at a bubble whenever nothing in it goes on: its time stands still
// meanwhile. Then it sleeps in this time, and so lets it pass.
//
//go:norace
func (r *run) watchBubble() *verdict {
	events, since := -1, time.Now()
	looks := few
	for {
		now := settle(r.bubble, looks, r.stop)
		if now == nil {
			return nil
		}
		r.lock()
		b := &seen{now: now}
		if r.advance(b); r.events != events {
			r.unlock()
			events, since, looks = r.events, time.Now(), few
			continue
		}
		limit, passed := bubbleLimit, time.Since(since)
		if r.mode == try && r.waiting > 0 {
			limit = r.within / 100
		}
		stopped := !now.durable()
		if stopped && looks == few {
			looks = many
			r.unlock()
			continue
		}
		if stopped || passed >= limit {
			if v := r.conclude(nothingGoesOn, now, b); v != nil {
				r.unlock()
				return v
			}
		}
		next := limit - passed
		if soon := passed/10 + 1; r.awaitsBlock() && soon < next {
			next = soon
		}
		r.unlock()
		timer := time.NewTimer(next)
		select {
		case <-r.stop:
		case <-r.kick:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// A bubble whose goroutines wait for locks, too, is looked at a few times to see that it does not go on,
// and many times to end a test for that: somebody outside may have the lock.
const (
	few  = 2
	many = 50
)

// settle waits until nothing in a bubble goes on but by its time, and returns what is seen
// then; nil if the channel was closed before. The goroutine that calls it is not
// looked at. There is no clock in a bubble but its own.
func settle(bubble string, looks int, stop chan struct{}) *view {
	var earlier *view
	equal := 1
	for yields := 1; ; {
		select {
		case <-stop:
			return nil
		default:
		}
		now := dump().in(bubble)
		if now.active() || !now.equal(earlier) {
			equal = 0
		}
		if equal++; !now.active() && (now.durable() || equal >= looks) {
			return now
		}
		earlier = now
		for i := 0; i < yields; i++ {
			runtime.Gosched()
		}
		if yields < 1<<12 {
			yields *= 2
		}
	}
}
