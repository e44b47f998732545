package sched

// A Clock is a vector clock, by goroutine ID. Entries beyond its length are 0.
type Clock []uint32

// at returns the entry of goroutine g.
func (c Clock) at(g int) uint32 {
	if g < len(c) {
		return c[g]
	}
	return 0
}

// join raises c to at least d, entry by entry.
func (c *Clock) join(d Clock) {
	if n := len(d) - len(*c); n > 0 {
		*c = append(*c, d[len(*c):]...)
	}
	own := *c
	for i, t := range d {
		if i < len(own) && own[i] < t {
			own[i] = t
		}
	}
}

// set makes c a copy of d.
func (c *Clock) set(d Clock) { *c = append((*c)[:0], d...) }
