package locks

import "slices"

// components finds the strongly connected components of functions, by Tarjan's
// algorithm (Depth-first search and linear graph algorithms, SIAM J. Comput. 1972).
type components struct {
	next  func(*Func) []*Func
	found func([]member) // hears of each component, of those that it leads to before

	number, low map[*Func]int
	done        map[*Func]bool
	stack       []member
}

// A member of a component with the functions that it leads to.
type member struct {
	fn   *Func
	next []*Func
}

func newComponents(next func(*Func) []*Func, found func([]member)) *components {
	return &components{next: next, found: found, number: make(map[*Func]int), low: make(map[*Func]int), done: make(map[*Func]bool)}
}

// visit finds the components that a function leads to, its own among them, as far
// as they are not found yet.
func (c *components) visit(fn *Func) {
	if c.number[fn] != 0 {
		return
	}
	c.number[fn] = len(c.number) + 1
	c.low[fn] = c.number[fn]
	at := len(c.stack)
	next := c.next(fn)
	c.stack = append(c.stack, member{fn, next})
	for _, to := range next {
		if c.number[to] == 0 {
			c.visit(to)
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
		c.done[m.fn] = true
	}
	c.found(members)
}
