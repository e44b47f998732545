package program

import (
	"slices"
)

// Components finds the strongly connected components of functions, by Tarjan's
// algorithm (Depth-first search and linear graph algorithms, SIAM J. Comput. 1972).
type Components struct {
	next  func(*Func) []*Func
	found func([]Member) // hears of each component, of those that it leads to before

	number, low map[*Func]int
	done        map[*Func]bool
	stack       []Member
}

// A Member of a component with the functions that it leads to.
type Member struct {
	Fn   *Func
	Next []*Func
}

// NewComponents describes a graph by where a function leads to, and by who hears of its components.
func NewComponents(next func(*Func) []*Func, found func([]Member)) *Components {
	return &Components{next: next, found: found, number: make(map[*Func]int), low: make(map[*Func]int), done: make(map[*Func]bool)}
}

// Visit finds the components that a function leads to, its own among them, as far
// as they are not found yet.
func (c *Components) Visit(fn *Func) {
	if c.number[fn] != 0 {
		return
	}
	c.number[fn] = len(c.number) + 1
	c.low[fn] = c.number[fn]
	at := len(c.stack)
	next := c.next(fn)
	c.stack = append(c.stack, Member{fn, next})
	for _, to := range next {
		if c.number[to] == 0 {
			c.Visit(to)
			c.low[fn] = min(c.low[fn], c.low[to])
		} else if !c.done[to] {
			c.low[fn] = min(c.low[fn], c.number[to])
		}
	}
	if c.low[fn] != c.number[fn] {
		return
	}
	members := slices.Clone(c.stack[at:])
	c.stack = c.stack[:at]
	for _, m := range members {
		c.done[m.Fn] = true
	}
	c.found(members)
}
