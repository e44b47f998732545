package sched

// Earlier runs f, which belongs to the execution but is not explored: each goroutine
// goes on as long as it can, no choice is recorded, and races are not reported. What
// goroutines of f do later counts like anything else, but one of them that blocks
// for ever does not matter. For code that is not under control it calls f.
func Earlier(f func()) {
	g := current()
	if g == nil {
		f()
		return
	}
	g.x.silent = true
	f()
	g.x.silent = false
	g.x.earlier = len(g.x.goroutines)
	g.tick()
	for _, other := range g.x.alive { // what was done until now happens before what comes
		g.clock.join(other.clock)
	}
}

// quietly is choice without asking the strategy.
func (x *execution) quietly(yielding bool) *goroutine {
	next := x.ready.enabled[0].G
	for _, p := range x.ready.enabled {
		if p.G == x.last && !yielding || p.G > x.last && (next <= x.last || p.G < next) {
			next = p.G
			if p.G == x.last {
				break
			}
		}
	}
	g := x.goroutines[next]
	x.last, g.ran = next, x.progress.rounds.now
	x.noted(g)
	x.result.Steps++
	if x.ready.keeping {
		x.chosen(g)
	}
	return g
}

// concerned are those of some goroutines whose blocking matters: not those that
// Earlier left, unless the test itself is blocked.
func (x *execution) concerned(blocked []*goroutine) []*goroutine {
	if len(blocked) == 0 || blocked[0].id == 0 {
		return blocked
	}
	for len(blocked) > 0 && blocked[0].id < x.earlier {
		blocked = blocked[1:]
	}
	return blocked
}
