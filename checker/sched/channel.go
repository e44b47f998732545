package sched

import "unsafe"

// A channel of the program stays a real channel, which is its identity, its
// capacity and its type. Its values, whether it is closed, and who waits for it
// are kept here, in a table of the execution that made it.
//
// An unbuffered send and the receive it is matched with are one step. It
// counts as the sender's: a receive from an open unbuffered channel is never
// enabled by itself, except in a select with default. Any waiting receiver may
// be the partner, chosen with the strategy's Choose, since nothing in a program
// tells which of two goroutines began to wait first. After such a step both
// go on to their next operation before the strategy is asked again.

// A channel is the state of a channel in one execution.
type channel struct {
	object    Object
	real      unsafe.Pointer // kept alive, so that its address stands for it
	capacity  int
	count     int // values in the buffer
	head      int // index of the first
	closed    bool
	timers    bool                                                    // made by TimerChan
	buffer    unsafe.Pointer                                          // of room values
	room      int                                                     // at most capacity
	more      func(buffer unsafe.Pointer, room, n int) unsafe.Pointer // makes one of n values with those of a smaller one
	size      uintptr                                                 // of a value
	slots     []Clock                                                 // by index in the buffer: of its last send or receive
	senders   []*waiter                                               // unbuffered: those who wait
	receivers []*waiter
	queue     []*goroutine                                 // that wait at a buffer, and did when their bubble was idle
	move      func(to, from unsafe.Pointer)                // *to = *from, or the zero value from nil
	take      func(real, to unsafe.Pointer) (got, ok bool) // receives from the real channel what is there
	messages  *messageCounts                               // with Options.Deliveries
	bubble    *Bubble                                      // in which it was made, nil: none
}

// A waiter is one communication that a goroutine announces: its send or receive,
// or a case of its select. Unless the select has a default case, it waits in a
// list of its channel until it can be done.
type waiter struct {
	g     *goroutine
	c     *channel // nil: the nil channel
	send  bool
	ok    bool           // a receive got a value that was sent
	value unsafe.Pointer // what to send, where to receive
}

// channelOf is what stands for c in the table of an execution.
func channelOf[T any](c chan T) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c)) }

// MakeChan is make(chan T, n). Outside control it makes a plain channel. Under
// control that can only be used by an execution that inherits it, see inherited.go.
func MakeChan[T any](n int) chan T {
	g := current()
	if g == nil {
		c := make(chan T, n)
		bequeath(c)
		return c
	}
	c := make(chan T, realRoom(n, unsafe.Sizeof(*new(T))))
	state := newChannel(c, n)
	state.bubble = g.bubble
	if g.x.options.Deliveries {
		state.messages = newMessageCounts[T]()
	}
	g.x.enrol(state)
	return c
}

// newChannel returns the state of an empty channel for n values.
func newChannel[T any](c chan T, n int) *channel {
	state := &channel{
		real: channelOf(c), capacity: n,
		size: unsafe.Sizeof(*new(T)),
		move: func(to, from unsafe.Pointer) {
			if from == nil {
				*(*T)(to) = *new(T)
			} else {
				*(*T)(to) = *(*T)(from)
			}
		},
	}
	if n > 0 {
		state.take = take[T]
		state.more = func(buffer unsafe.Pointer, room, n int) unsafe.Pointer {
			more := make([]T, n)
			copy(more, unsafe.Slice((*T)(buffer), room))
			return unsafe.Pointer(unsafe.SliceData(more))
		}
		state.prepare()
	}
	return state
}

// enrol makes a channel one under control.
func (x *execution) enrol(c *channel) {
	if x.channels == nil {
		x.channels = map[unsafe.Pointer]*channel{}
	}
	c.object.channel = true
	x.channels[c.real] = c
}

// take receives *to from a real channel, if something is there.
func take[T any](real, to unsafe.Pointer) (got, ok bool) {
	select {
	case v, ok := <-*(*chan T)(unsafe.Pointer(&real)):
		*(*T)(to) = v
		return true, ok
	default:
		return false, false
	}
}

// Send is c <- v.
func Send[T any](c chan<- T, v T) { To(c).Send(v) }

// A Sender sends on a channel.
type Sender[T any] struct{ c chan<- T }

// To is the first half of a send, for generated code: in To(c).Send(v) the
// element type comes from c alone, and v needs only be assignable to it, as in
// c <- v. Operands are evaluated in the same order.
func To[T any](c chan<- T) Sender[T] { return Sender[T]{c} }

// Send sends v.
func (s Sender[T]) Send(v T) {
	g := current()
	if g == nil {
		strayed("channel send")
		s.c <- v
		return
	}
	g.waiters = append(g.waiters[:0], waiter{g: g, send: true, value: unsafe.Pointer(&v),
		c: g.x.find(*(*unsafe.Pointer)(unsafe.Pointer(&s.c)))})
	g.communicate(KindSend, "channel send", false)
}

// Recv is <-c.
func Recv[T any](c <-chan T) T {
	v, _ := Recv2(c)
	return v
}

// Recv2 is v, ok := <-c.
func Recv2[T any](c <-chan T) (T, bool) {
	g := current()
	if g == nil {
		strayed("channel receive")
		v, ok := <-c
		return v, ok
	}
	v := new(T)
	g.waiters = append(g.waiters[:0], waiter{g: g, value: unsafe.Pointer(v),
		c: g.x.find(*(*unsafe.Pointer)(unsafe.Pointer(&c)))})
	g.communicate(KindRecv, "channel receive", false)
	return *v, g.waiters[0].ok
}

// Close is close(c), including its panics.
func Close[T any](c chan<- T) {
	g := current()
	if g == nil {
		strayed("close of a channel")
		close(c)
		return
	}
	state := g.x.find(*(*unsafe.Pointer)(unsafe.Pointer(&c)))
	if state == nil {
		if c == nil {
			close(c) // panics
		}
		return
	}
	if state.bubble != nil && state.bubble != g.bubble {
		g.outsideBubble("close of synctest channel")
	}
	g.do(&Op{Kind: KindClose, Obj: &state.object, What: "close of a channel"})
	if state.closed {
		closeClosed()
	}
	state.closed = true
	Release(&state.object)
}

// Len is len(c); a scheduling point for a buffered channel.
func Len[T any](c <-chan T) int {
	g := current()
	if g == nil {
		return len(c)
	}
	state := g.x.find(*(*unsafe.Pointer)(unsafe.Pointer(&c)))
	if state == nil || state.capacity == 0 || state.timers {
		return 0
	}
	g.do(&Op{Kind: KindLoad, Obj: &state.object, Read: true, What: "len of a channel"})
	return state.count
}

// Cap is cap(c).
func Cap[T any](c <-chan T) int {
	if g := current(); g != nil {
		switch state := g.x.known(*(*unsafe.Pointer)(unsafe.Pointer(&c))); {
		case state == nil:
		case state.timers:
			return 0
		default:
			return state.capacity
		}
	}
	return cap(c)
}

// known returns the state of a channel, nil if it was not made under control.
func (x *execution) known(real unsafe.Pointer) *channel {
	if c := x.channels[real]; c != nil {
		return c
	}
	return x.inherit(real)
}

// find returns the state of a channel, nil for the nil channel. One that was
// not made under control ends the execution.
func (x *execution) find(real unsafe.Pointer) *channel {
	if real == nil {
		return nil
	}
	c := x.known(real)
	if c == nil {
		g := running.Load()
		g.stop(&Failure{Kind: Uncontrolled,
			Message: "operation on a channel that was not made under control"})
		if g.id >= 0 {
			g.quit()
		}
	}
	return c
}

// slot returns the address of value i of the buffer.
func (c *channel) slot(i int) unsafe.Pointer {
	if i >= c.room {
		c.grow(min(c.capacity, max(2*c.room, i+1)))
	}
	return unsafe.Add(c.buffer, uintptr(i)*c.size)
}

// opposite returns the waiters that p can be matched with, itself among them
// if its goroutine offers both.
func (p *waiter) opposite() []*waiter {
	if p.send {
		return p.c.receivers
	}
	return p.c.senders
}

// partners counts the waiters of other goroutines that p can be matched with.
func (p *waiter) partners() (n int) {
	for _, q := range p.opposite() {
		if q.g != p.g {
			n++
		}
	}
	return n
}

// options counts the ways in which p can be done now. A receive that waits
// leaves the match to the sender.
func (p *waiter) options(waiting bool) int {
	c := p.c
	switch {
	case c == nil:
		return 0
	case c.closed:
		return 1 // a send panics
	case c.capacity == 0:
		if p.send || !waiting {
			return p.partners()
		}
	case p.send && c.count < c.capacity-p.ahead(), !p.send && c.count > p.ahead():
		return 1
	}
	return 0
}

// do does the communication of p, which can be done; false for a send on a
// closed channel.
func (p *waiter) do() bool {
	c, x := p.c, p.g.x
	switch {
	case p.send && c.closed:
		return false
	case c.capacity == 0 && !c.closed:
		p.meet(p.partner())
	case p.send:
		i := (c.head + c.count) % c.capacity
		c.move(c.slot(i), p.value)
		c.count++
		p.g.exchange(c.clockOf(i))
		if p.g.id >= 0 {
			x.change()
		}
	case c.count > 0:
		c.move(p.value, c.slot(c.head))
		c.deliver(p.value, false)
		c.move(c.slot(c.head), nil)
		p.ok = true
		p.g.exchange(c.clockOf(c.head))
		c.head = (c.head + 1) % c.capacity
		c.count--
	default: // closed and empty
		c.move(p.value, nil)
		c.deliver(p.value, true)
		p.ok = false
		p.g.clock.join(c.object.clock)
	}
	return true
}

// drain takes a value from the buffer, which nobody receives; false if there is none.
func (c *channel) drain() bool {
	if c.count == 0 {
		return false
	}
	c.move(c.slot(c.head), nil)
	c.head = (c.head + 1) % c.capacity
	c.count--
	return true
}

// exchange makes the edges of a slot of a buffer: from the send to the receive
// of its value, and from there to the completion of the next send into the
// same slot, capacity sends later.
func (g *goroutine) exchange(slot *Clock) {
	g.clock.join(*slot)
	slot.set(g.clock)
	g.tick()
}

// partner chooses one of the possible partners.
func (p *waiter) partner() int {
	r := p.g.x.by.recorder
	if r == nil {
		return p.g.x.choose(p.partners())
	}
	var all []Offer
	for _, q := range p.opposite() {
		if q.g != p.g {
			all = append(all, Offer{q})
		}
	}
	r.Partners(all)
	defer r.Partners(nil)
	return p.g.x.choose(len(all))
}

// meet matches p with the n-th possible partner.
func (p *waiter) meet(n int) {
	for _, q := range p.opposite() {
		if q.g == p.g {
			continue
		}
		if n == 0 {
			p.match(q)
			return
		}
		n--
	}
}

// match is the joint step of an unbuffered send and receive. Each happens
// before the completion of the other.
func (p *waiter) match(q *waiter) {
	if p.send {
		p.c.move(q.value, p.value)
	} else {
		p.c.move(p.value, q.value)
	}
	p.c.deliver(p.value, false)
	p.ok, q.ok = true, true
	p.g.clock.join(q.g.clock)
	q.g.clock.set(p.g.clock)
	p.g.tick()
	q.g.tick()
	partner := q.g
	for i := range partner.waiters {
		if &partner.waiters[i] == q {
			partner.done = i
		}
	}
	if e := p.g.x.traced(p.g); e != nil {
		e.Obj, e.With = p.c.object.id, partner.id
	}
	partner.met, p.g.met = p.g.id, partner.id
	partner.ran = p.g.x.progress.rounds.now
	p.g.x.change()
	partner.withdraw()
	partner.x.urgent = append(partner.x.urgent, partner)
}

// Real panics, so that recover sees what it would see in the real program.

func sendClosed() {
	c := make(chan struct{})
	close(c)
	c <- struct{}{}
}

func closeClosed() {
	c := make(chan struct{})
	close(c)
	close(c)
}
