package sched

import (
	"reflect"
	"unsafe"
)

// A Case is one case of a select: a value from To(c).Case(v) or From(c).
type Case interface {
	waiter(g *goroutine) waiter
	real() reflect.SelectCase
	received(v reflect.Value, ok bool) // v: the zero Value when V is set already
}

// A SendCase is "case c <- v".
type SendCase[T any] struct {
	c chan<- T
	v T
}

// Case makes a case of a select that sends v.
func (s Sender[T]) Case(v T) *SendCase[T] { return &SendCase[T]{s.c, v} }

func (s *SendCase[T]) waiter(g *goroutine) waiter {
	return waiter{g: g, send: true, value: unsafe.Pointer(&s.v),
		c: g.x.find(*(*unsafe.Pointer)(unsafe.Pointer(&s.c)))}
}

func (s *SendCase[T]) real() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(s.c), Send: reflect.ValueOf(&s.v).Elem()}
}

func (s *SendCase[T]) received(reflect.Value, bool) {}

// A RecvCase is "case V, OK = <-c". V and OK are set when the case was chosen.
type RecvCase[T any] struct {
	c  <-chan T
	V  T
	OK bool
}

// From makes a case of a select that receives.
func From[T any](c <-chan T) *RecvCase[T] { return &RecvCase[T]{c: c} }

func (r *RecvCase[T]) waiter(g *goroutine) waiter {
	return waiter{g: g, value: unsafe.Pointer(&r.V),
		c: g.x.find(*(*unsafe.Pointer)(unsafe.Pointer(&r.c)))}
}

func (r *RecvCase[T]) real() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.c)}
}

func (r *RecvCase[T]) received(v reflect.Value, ok bool) {
	r.OK = ok
	if v.IsValid() {
		reflect.ValueOf(&r.V).Elem().Set(v)
	}
}

// Select waits for one of the cases and does it; it returns its index. Which of
// several possible ones is part of the schedule. Without cases it blocks for
// ever. The statement
//
//	select {
//	case v := <-a:
//		A
//	case m[k()], ok = <-b:
//		B
//	case c <- x:
//		C
//	}
//
// becomes, operands evaluated in the same order,
//
//	r0, r1, s2 := sched.From(a), sched.From(b), sched.To(c).Case(x)
//	switch sched.Select(r0, r1, s2) {
//	case 0:
//		v := r0.V
//		A
//	case 1:
//		m[k()], ok = r1.V, r1.OK
//		B
//	case 2:
//		C
//	}
func Select(cases ...Case) int { return choose("select", false, cases) }

// SelectDefault is Select with a default case: it does not wait, and returns -1
// for it.
func SelectDefault(cases ...Case) int { return choose("select with default", true, cases) }

func choose(what string, otherwise bool, cases []Case) int {
	g := current()
	if g == nil {
		strayed(what)
		return selectReal(otherwise, cases)
	}
	g.waiters = g.waiters[:0]
	for _, c := range cases {
		p := c.waiter(g)
		g.waiters = append(g.waiters, p)
	}
	i := g.communicate(KindSelect, what, otherwise)
	if i >= 0 {
		cases[i].received(reflect.Value{}, g.waiters[i].ok)
	}
	return i
}

// selectReal is the real select, for code outside control.
func selectReal(otherwise bool, cases []Case) int {
	var list []reflect.SelectCase
	for _, c := range cases {
		list = append(list, c.real())
	}
	if otherwise {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := reflect.Select(list)
	if i == len(cases) {
		return -1
	}
	cases[i].received(v, ok)
	return i
}

// communicate announces the communications in g.waiters and does one: it
// returns its index, -1 for the default case.
func (g *goroutine) communicate(kind Kind, what string, otherwise bool) int {
	g.done = -1
	if g.x.time.bubbles > 0 {
		g.checkBubble()
	}
	op := Op{Kind: kind, What: what}
	for i := range g.waiters {
		if c := g.waiters[i].c; c != nil {
			g.x.meet(&c.object)
			if op.Obj == nil {
				op.Obj = &c.object
			}
		}
	}
	if !otherwise {
		if g.offers == nil {
			g.offers = func() bool { return g.possible() > 0 }
		}
		op.Enabled = g.offers
		if g.scheduled() {
			g.offer()
		}
	}
	g.do(&op)
	if g.done < 0 {
		g.enter()
		waiting := g.waiting
		g.withdraw()
		g.done = g.pick(otherwise, waiting)
		if e := g.x.traced(g); e != nil && g.done >= 0 {
			e.Obj = g.waiters[g.done].c.object.id
		}
		closed := g.done >= 0 && !g.waiters[g.done].do()
		g.release()
		if closed {
			sendClosed()
		}
	}
	if r := g.x.by.recorder; r != nil && g.scheduled() {
		r.Communicated(g.id, g.done, g.met)
	}
	if g.done >= 0 && !g.waiters[g.done].send {
		g.serve(g.waiters[g.done].c)
	}
	return g.done
}

// possible counts the ways in which the pending communication can be done.
func (g *goroutine) possible() (n int) {
	for i := range g.waiters {
		n += g.waiters[i].options(g.waiting)
	}
	return n
}

// reach completes the description of a communication.
func (g *goroutine) reach(seen *Pending) {
	seen.Options = int32(g.possible())
	if !g.waiting {
		seen.Options++ // the default case
	}
	seen.Scope, seen.Channels = ScopeObject, g.channels()
	if len(g.waiters) > 1 {
		seen.Scope = ScopeChannels
	}
	for i := range g.waiters {
		p := &g.waiters[i]
		if p.c == nil || p.c.capacity > 0 {
			continue
		}
		for _, q := range p.opposite() {
			if len(q.g.waiters) > 1 {
				seen.Scope = ScopeChannels
				seen.Channels |= q.g.channels()
			}
		}
	}
}

// channels returns the bits of the channels of the pending communication.
func (g *goroutine) channels() (bits uint64) {
	for i := range g.waiters {
		if c := g.waiters[i].c; c != nil {
			bits |= c.object.Bit()
		}
	}
	return bits
}

// meets reports whether g waits where a partner may find it.
func (g *goroutine) meets() bool {
	if g.waiting {
		for i := range g.waiters {
			if c := g.waiters[i].c; c != nil && c.capacity == 0 {
				return true
			}
		}
	}
	return false
}

// pick chooses among the cases that can be done, -1 being the default case.
//
// A partner that has announced its operation may, in the real program, not have
// begun to wait yet. Then a select with default takes the default case. So that is
// a choice too, unless time has passed since because nobody could go on, and the
// time-out is believed, or because a bubble was idle: for that all had to wait.
func (g *goroutine) pick(otherwise, waiting bool) int {
	ready, sure := g.ready[:0], !otherwise
	for i := range g.waiters {
		p := &g.waiters[i]
		if p.options(waiting) == 0 {
			continue
		}
		ready = append(ready, i)
		sure = sure || p.c.capacity > 0 || p.c.closed || p.partnerWaited()
	}
	g.ready = ready
	if s := g.x.by.selector; s != nil && (len(ready) > 1 || !sure && len(ready) > 0) {
		switch i := s.Select(g.id, ready, !sure); {
		case i >= 0:
			return i
		case i == Default:
			g.missed()
			return Default
		}
	}
	if !sure {
		ready = append(ready, Default)
	}
	if len(ready) == 0 {
		return -1
	}
	if r := g.x.by.recorder; r != nil {
		r.Cases(ready)
		defer r.Cases(nil)
	}
	i := ready[g.x.choose(len(ready))]
	if i < 0 {
		g.missed()
	}
	return i
}

// missed notes that g took its default case although a partner was there before
// time last passed: the partner was slow then.
func (g *goroutine) missed() {
	for i := range g.waiters {
		p := &g.waiters[i]
		if p.c == nil || p.c.capacity > 0 {
			continue
		}
		for _, q := range p.opposite() {
			if q.g != p.g && q.g.waitedFor != nil {
				g.x.result.Early++
				g.x.note(q.g.waitedFor, q.g)
				return
			}
		}
	}
}

// partnerWaited reports whether a partner of p has waited since before time
// last passed.
func (p *waiter) partnerWaited() bool {
	for _, q := range p.opposite() {
		if q.g != p.g && (q.g.parked || q.g.waitedFor != nil && q.g.x.believes(q.g.waitedFor)) {
			return true
		}
	}
	return false
}

// offer registers g's communications with their unbuffered channels.
func (g *goroutine) offer() {
	g.waiting = true
	for i := range g.waiters {
		p := &g.waiters[i]
		switch {
		case p.c == nil || p.c.capacity > 0:
		case p.send:
			p.c.senders = append(p.c.senders, p)
		default:
			p.c.receivers = append(p.c.receivers, p)
		}
	}
	g.stir()
}

// stir touches the unbuffered channels at which g begins or ends to wait.
func (g *goroutine) stir() {
	for i := range g.waiters {
		if c := g.waiters[i].c; c != nil && c.capacity == 0 {
			g.x.touch(&c.object)
		}
	}
}

// withdraw undoes offer.
func (g *goroutine) withdraw() {
	if !g.waiting {
		return
	}
	g.waiting = false
	for i := range g.waiters {
		p := &g.waiters[i]
		if p.c != nil && p.c.capacity == 0 {
			p.c.senders = without(p.c.senders, p)
			p.c.receivers = without(p.c.receivers, p)
		}
	}
	g.stir()
}

func without(list []*waiter, p *waiter) []*waiter {
	for i := range list {
		if list[i] == p {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}
