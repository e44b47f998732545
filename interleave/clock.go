package interleave

import "mendel/interleave/hook"

// A clock is a vector clock: of each goroutine, up to which of its releases what it
// did has happened before. Clocks are not changed once they are made.
type clock []uint32

// join is the least clock that is not before either of two.
func (c clock) join(o clock) clock {
	bigger := false
	for i := range o {
		bigger = bigger || o[i] > c[i]
	}
	if !bigger {
		return c
	}
	j := make(clock, len(c))
	for i := range c {
		j[i] = max(c[i], o[i])
	}
	return j
}

// tick is the clock after a release by a goroutine.
func (c clock) tick(g int) clock {
	t := append(clock(nil), c...)
	t[g]++
	return t
}

// A channelUse is what a run as a whole did with a channel.
type channelUse struct {
	senders, receivers map[int]bool
	total              int     // of sends
	sends              []clock // so far
	received           int
	own                map[int]int // receives of each receiver
}

// clocks follow the happens-before edges of a run, those of mutexes left out:
// the order in which a lock is taken is another one in the next run. Of the edges
// of channels those are followed that are there in every order in which several
// senders, or several receivers, may come.
type clocks struct {
	now      []clock
	forks    map[uint64]clock
	ends     map[uint64]clock
	groups   map[uint64]clock // of wait groups: all that was Done
	onces    map[uint64]clock
	closes   map[uint64]clock
	channels map[uint64]*channelUse
}

func newClocks(events []hook.Event, goroutine map[uint64]int) *clocks {
	c := &clocks{
		now: make([]clock, len(goroutine)), forks: map[uint64]clock{}, ends: map[uint64]clock{}, groups: map[uint64]clock{},
		onces: map[uint64]clock{}, closes: map[uint64]clock{}, channels: map[uint64]*channelUse{},
	}
	for g := range c.now {
		c.now[g] = make(clock, len(goroutine))
		c.now[g][g] = 1
	}
	for _, e := range events {
		if e.Kind != hook.Send && e.Kind != hook.Receive {
			continue
		}
		u := c.channels[e.Object]
		if u == nil {
			u = &channelUse{senders: map[int]bool{}, receivers: map[int]bool{}, own: map[int]int{}}
			c.channels[e.Object] = u
		}
		if e.Kind == hook.Send {
			u.senders[goroutine[e.G]] = true
			u.total++
		} else {
			u.receivers[goroutine[e.G]] = true
		}
	}
	return c
}

// before follows the edges that lead to an event.
func (c *clocks) before(g int, e hook.Event) {
	join := func(o clock) {
		if o != nil {
			c.now[g] = c.now[g].join(o)
		}
	}
	switch e.Kind {
	case hook.Start:
		join(c.forks[e.Object])
	case hook.Join:
		join(c.ends[e.Object])
	case hook.Wait:
		join(c.groups[e.Object])
	case hook.OnceDone:
		join(c.onces[e.Object])
	case hook.ReceiveClosed:
		join(c.closes[e.Object])
	case hook.Receive:
		for _, o := range c.channels[e.Object].receive(g) {
			join(o)
		}
	}
}

// after follows the edges that lead from an event.
func (c *clocks) after(g int, e hook.Event) {
	var to map[uint64]clock
	switch e.Kind {
	case hook.Fork:
		to = c.forks
	case hook.End:
		to = c.ends
	case hook.Done:
		to = c.groups
	case hook.OnceEnd:
		to = c.onces
	case hook.Close:
		to = c.closes
	case hook.Send:
		u := c.channels[e.Object]
		u.sends = append(u.sends, c.now[g])
	default:
		return
	}
	if to != nil {
		if was := to[e.Object]; was != nil {
			to[e.Object] = was.join(c.now[g])
		} else {
			to[e.Object] = c.now[g]
		}
	}
	c.now[g] = c.now[g].tick(g)
}

// receive returns the sends that happen before the next receive of a goroutine,
// whichever send it is that it receives. With one sender, its n-th receive is not
// before the n-th send. The only receiver, having received all there is, comes after
// every send.
func (u *channelUse) receive(g int) []clock {
	u.own[g]++
	u.received++
	if n := u.own[g]; len(u.senders) == 1 && n <= len(u.sends) {
		return u.sends[n-1 : n]
	}
	if len(u.receivers) == 1 && u.received == u.total {
		return u.sends
	}
	return nil
}
