package sched

import "slices"

// watch records an access that g is making, if it is in Options.Watch and the
// first of its kind that g makes.
func (g *goroutine) watch(write bool) {
	x := g.x
	made := Mode{Write: write}
	p := Place{What: made.verb(), Step: g.last}
	p.locate(where(1, shallow, nil))
	if !slices.Contains(x.options.Watch, Watched{p.File, p.Line, write}) {
		return
	}
	p.Goroutine = x.name(g)
	known := slices.ContainsFunc(x.result.Accesses, func(q Place) bool {
		return q.Goroutine == p.Goroutine && q.File == p.File && q.Line == p.Line && q.What == p.What
	})
	if !known {
		x.result.Accesses = append(x.result.Accesses, p)
	}
}
