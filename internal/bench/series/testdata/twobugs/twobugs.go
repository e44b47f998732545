// Package twobugs has two bugs that have nothing to do with each other.
package twobugs

import "sync"

// A Counter counts events.
type Counter struct {
	n int
}

// Add counts one event.
func (c *Counter) Add() {
	c.n++
}

// Value is how many there were.
func (c *Counter) Value() int {
	return c.n
}

// A Pair has two accounts.
type Pair struct {
	first, second sync.Mutex
	a, b          int
}

// Give moves from a to b.
func (p *Pair) Give(n int) {
	p.first.Lock()
	defer p.first.Unlock()
	p.second.Lock()
	defer p.second.Unlock()
	p.a -= n
	p.b += n
}

// Take moves from b to a.
func (p *Pair) Take(n int) {
	p.second.Lock()
	defer p.second.Unlock()
	p.first.Lock()
	defer p.first.Unlock()
	p.b -= n
	p.a += n
}
