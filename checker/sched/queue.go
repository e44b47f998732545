package sched

import "slices"

// Goroutines that wait at a channel with a buffer are served in the order in which they began
// to: a receive from a full one hands the place to the first that waits to send, and a
// send to an empty one the value to the first that waits to receive. Of two that have
// announced their operations nobody knows who will be the first. But one that waited when its
// bubble was idle is before all that come later. They must not overtake it.

// rest notes that g has waited since before its bubble was idle.
func (g *goroutine) rest() {
	if g.parked {
		return
	}
	g.parked = true
	if !g.waiting {
		return
	}
	for i := range g.waiters {
		if c := g.waiters[i].c; c != nil && c.capacity > 0 && !slices.Contains(c.queue, g) {
			c.queue = append(c.queue, g)
		}
	}
}

// ahead is how many goroutines are served at a buffer before p: none if it is among those that
// have waited for long itself.
func (p *waiter) ahead() (n int) {
	c := p.c
	if len(c.queue) == 0 || p.g.parked {
		return 0
	}
	c.queue = slices.DeleteFunc(c.queue, func(g *goroutine) bool { return !g.queues(c) })
	for _, g := range c.queue {
		if slices.ContainsFunc(g.waiters, func(q waiter) bool { return q.c == c && q.send == p.send }) {
			n++
		}
	}
	return n
}

// queues reports whether g still waits at a channel.
func (g *goroutine) queues(c *channel) bool {
	return g.parked && g.waiting && slices.ContainsFunc(g.waiters, func(p waiter) bool { return p.c == c })
}
