package causal

import (
	"cmp"
	"slices"

	"mendel/checker/sched/causal/order"
)

// A use is what a part does to a location: it may read it first, and may write it.
type use struct {
	g, n            int
	reads, writes   bool
	readAt, writeAt Spot
	value           uint64 // that it reads
}

// uses lists the uses of each location that is shared, by goroutine.
func (w *window) uses() (all [][][]use) {
	all = make([][][]use, len(w.t.Locations))
	of := func(loc, g, n int) *use {
		if all[loc] == nil {
			all[loc] = make([][]use, len(w.parts))
		}
		list := &all[loc][g]
		if len(*list) == 0 || (*list)[len(*list)-1].n != n {
			*list = append(*list, use{g: g, n: n})
		}
		return &(*list)[len(*list)-1]
	}
	for g, list := range w.parts {
		for n, at := range list {
			p := w.part(at)
			for _, v := range p.Seen {
				if v.Loc != None && w.t.Locations[v.Loc].Shared {
					u := of(v.Loc, g, n)
					u.reads, u.readAt, u.value = true, cmp.Or(v.At, p.Op.At), v.Value
				}
			}
			for _, v := range p.Put {
				if w.t.Locations[v.Loc].Shared {
					u := of(v.Loc, g, n)
					u.writes, u.writeAt = true, cmp.Or(v.At, p.Op.At)
				}
			}
		}
	}
	return all
}

// last is the last access of a use, first its first one.
func (u *use) last() Role  { return roleOf(u.g, u.at(u.writes), u.writes) }
func (u *use) first() Role { return roleOf(u.g, u.at(!u.reads), !u.reads) }

func (u *use) at(write bool) Spot {
	if write {
		return u.writeAt
	}
	return u.readAt
}

// unserialisable reports whether two accesses of one goroutine and one of another between
// them are equal to no order in which nothing comes between them: Lu, Tucek, Qin and Zhou,
// "AVIO" (ASPLOS 2006), table 1.
func unserialisable(first, between, last bool) bool { // whether it is a write
	if between {
		return !first || !last // a write: all but that between two writes, which hides it
	}
	return first && last // a read of what is not there to stay
}

// atomicity lists accesses that one of another goroutine may come between.
func (w *window) atomicity() (all []candidate) {
	listed := map[key]int{}
	for _, byGoroutine := range w.uses() {
		for g, mine := range byGoroutine {
			for i := 1; i < len(mine); i++ {
				for h, others := range byGoroutine {
					if h == g {
						continue
					}
					for k := range others {
						all = append(all, w.violations(&mine[i-1], &others[k], &mine[i], listed)...)
					}
				}
			}
		}
	}
	return all
}

// violations lists in what ways u may come between x and y. What u's goroutine has done
// before u may rest on what it saw after x. So there are two ways: x comes before z, and
// u and y follow; or x follows, too, and sees what there is.
func (w *window) violations(x, u, y *use, listed map[key]int) (all []candidate) {
	first := x.last()
	for _, write := range []bool{true, false} {
		last := y.first()
		switch {
		case write && !u.writes || !write && !u.reads:
			continue
		case unserialisable(x.writes, write, !y.reads):
		case w.stale(x, u, y, write):
			last = roleOf(y.g, y.writeAt, true)
		default:
			continue
		}
		c := candidate{kind: Atomicity, roles: []Role{first, roleOf(u.g, u.at(write), write), last}}
		k := keyOf(c.kind, c.roles)
		if listed[k] == maxSolved || w.apart(x, u, y) {
			continue
		}
		listed[k]++
		at, then := w.parts[u.g][u.n], w.parts[y.g][y.n]
		back := w.t.move(then.step, then.part, 0)
		back.Wait = true
		c.last = []Move{w.t.move(at.step, 0, -1), back}
		c.assume = func() ([]order.Lit, bool) {
			lits, ok := w.ready(at)
			return append(lits, w.at(y.g, y.n)...), ok
		}
		all = append(all, c)
		c.guess = true
		c.last = slices.Concat(w.movesTo(x, y), c.last)
		c.assume = func() ([]order.Lit, bool) {
			lits, ok := w.ready(w.parts[x.g][x.n])
			more, able := w.ready(at)
			return append(lits, more...), ok && able
		}
		all = append(all, c)
	}
	return all
}

// stale reports whether a read between x, which reads, and y, which writes, sees another
// value than in the trace. Its goroutine may then act on it as x's does: what it does is
// not in the trace.
func (w *window) stale(x, u, y *use, write bool) bool {
	return !write && !x.writes && y.writes && u.value != x.value
}

// ready returns literals that have all goroutines of a step be about to do it at z.
func (w *window) ready(at place) (lits []order.Lit, ok bool) {
	for i := range w.t.Steps[at.step].Parts {
		p := &w.t.Steps[at.step].Parts[i]
		can, ok := w.can(p, at.step)
		if !ok {
			return nil, false
		}
		lits = append(lits, can...)
		for _, v := range p.Seen[:w.neededBy(p)] {
			lits = append(lits, w.sawAtEnd(v)...)
		}
	}
	return lits, true
}

// neededBy is how much of what a part saw has to be there again, or it might have to wait.
func (w *window) neededBy(p *Part) int {
	switch {
	case p.Op.Default:
		return 0
	case len(p.Op.Cases) > 0:
		return min(len(p.Seen), seenByCommunication(p))
	case p.Op.Blocks && p.Op.Do == Other && p.Op.Loc != None:
		return min(len(p.Seen), 1)
	}
	return 0
}

// movesTo are the moves of x and of what its goroutine does before y.
func (w *window) movesTo(x, y *use) (moves []Move) {
	for n := x.n; n < y.n; n++ {
		at := w.parts[x.g][n]
		moves = append(moves, w.t.move(at.step, 0, -1))
	}
	return moves
}

// apart reports whether u cannot come between x and y: some section keeps it out, or it is
// part of the same step as one of them.
func (w *window) apart(x, u, y *use) bool {
	if s := w.parts[u.g][u.n].step; s == w.parts[y.g][y.n].step || s == w.parts[x.g][x.n].step {
		return true
	}
	return slices.ContainsFunc(w.spans[x.g], func(s span) bool {
		return s.within(x.n) && s.holds(y.n) && slices.ContainsFunc(w.spans[u.g], func(q span) bool {
			return q.loc == s.loc && q.within(u.n) && (q.writer || s.writer)
		})
	})
}
