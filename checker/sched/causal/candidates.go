package causal

import (
	"slices"

	"mendel/checker/sched/causal/order"
)

// A user is what a part does to a word.
type user struct {
	g, n  int
	touch Touch
}

// wordUsers are the uses of a word.
type wordUsers []user

// use lists who uses each word.
func (w *window) use() {
	index := map[uintptr]int{}
	for g, list := range w.parts {
		for n, at := range list {
			for _, t := range w.part(at).Touches {
				i, ok := index[t.Word]
				if !ok {
					i = len(w.words)
					index[t.Word] = i
					w.words = append(w.words, nil)
				}
				w.words[i] = append(w.words[i], user{g, n, t})
			}
		}
	}
}

// races lists pairs of accesses that no sections keep apart, and of which neither has to
// come before the other.
func (w *window) races() (all []candidate) {
	listed := map[[2]Spot]int{}
	for _, users := range w.words {
		for i, x := range users {
			for _, y := range users[:i] {
				at := least(x.touch.At, y.touch.At)
				if x.g == y.g || listed[at] == maxSolved || !x.touch.Races(y.touch) || w.guarded(x.g, x.n, y.g, y.n) {
					continue
				}
				assume, ok := w.meets(x.g, x.n, y.g, y.n)
				if !ok {
					continue
				}
				listed[at]++
				all = append(all, candidate{kind: Race, assume: assume,
					roles: []Role{roleOf(y.g, y.touch.At, y.touch.Write), roleOf(x.g, x.touch.At, x.touch.Write)}})
			}
		}
	}
	return all
}

// A taking is a goroutine that is about to wait for a lock while it is in sections.
type taking struct {
	g, n int
	op   *Op
	in   []span
}

// takings lists them.
func (w *window) takings() (all []taking) {
	for g := range w.parts {
		for n := 0; n <= len(w.parts[g]); n++ {
			op := w.op(g, n)
			if op == nil || !w.locks(op) {
				continue
			}
			t := taking{g: g, n: n, op: op}
			for _, s := range w.spans[g] {
				if s.holds(n) {
					t.in = append(t.in, s)
				}
			}
			if len(t.in) > 0 {
				all = append(all, t)
			}
		}
	}
	return all
}

// waitsOn reports whether t has to wait for a section that u is in.
func (w *window) waitsOn(t, u *taking) bool {
	if t.g == u.g {
		return false
	}
	for _, s := range u.in {
		if s.loc == t.op.Loc && w.obstructs(t.op, s.section) {
			return true
		}
	}
	return false
}

// apart reports whether t and u are in sections that exclude each other.
func (t *taking) apart(u *taking) bool {
	return slices.ContainsFunc(t.in, func(p span) bool {
		return slices.ContainsFunc(u.in, func(q span) bool { return p.loc == q.loc && p.writer && q.writer })
	})
}

// cycles lists two or three goroutines of which each waits for a lock that the next one
// holds.
func (w *window) cycles() (all []candidate) {
	list := w.takings()
	next := make([][]int, len(list))
	for i := range list {
		for k := range list {
			if w.waitsOn(&list[i], &list[k]) {
				next[i] = append(next[i], k)
			}
		}
	}
	listed := map[key]int{}
	add := func(members ...int) {
		c := candidate{kind: Deadlock}
		var cycle []*taking
		for _, i := range members {
			for _, t := range cycle {
				if t.apart(&list[i]) {
					return
				}
			}
			cycle = append(cycle, &list[i])
			c.roles = append(c.roles, Role{list[i].g, list[i].op.At, "lock"})
		}
		k := keyOf(c.kind, c.roles)
		if listed[k] >= maxSolved {
			return
		}
		listed[k]++
		c.assume = func() (lits []order.Lit, ok bool) {
			for _, t := range cycle {
				lits = append(lits, w.at(t.g, t.n)...)
			}
			return lits, true
		}
		all = append(all, c)
		c.guess = true
		c.last, c.assume = w.entering(cycle)
		all = append(all, c)
	}
	for i := range list {
		for _, k := range next[i] {
			if k <= i {
				continue
			}
			if slices.Contains(next[k], i) {
				add(i, k)
			}
			for _, m := range next[k] {
				if m > i && list[m].g != list[i].g && slices.Contains(next[m], i) && !slices.Contains(next[m], k) {
					add(i, k, m)
				}
			}
		}
	}
	return all
}

// entering has the goroutines of a cycle come in after z: what they see in their sections
// may be what one of the others has written in the trace, and matter little.
func (w *window) entering(cycle []*taking) (last []Move, assume func() ([]order.Lit, bool)) {
	var first []place
	for _, t := range cycle {
		from := t.in[0].from
		for _, s := range t.in {
			from = min(from, s.from)
		}
		first = append(first, w.parts[t.g][from])
		for n := from; n < t.n; n++ {
			at := w.parts[t.g][n]
			last = append(last, w.t.move(at.step, 0, -1))
		}
	}
	return last, func() (lits []order.Lit, ok bool) {
		for _, at := range first {
			if at.step < w.held {
				return nil, false // it came in before the window
			}
			ready, ok := w.ready(at)
			if !ok {
				return nil, false
			}
			lits = append(lits, ready...)
		}
		return lits, true
	}
}

// closed lists sends and closes of a channel that another goroutine closes: in the trace
// before or, as the last one, in time.
func (w *window) closed() (all []candidate) {
	closes := make([][]user, len(w.t.Locations))
	for g, list := range w.parts {
		for n, at := range list {
			if op := &w.part(at).Op; op.Close {
				closes[op.Loc] = append(closes[op.Loc], user{g: g, n: n})
			}
		}
	}
	listed := map[key]int{}
	try := func(g, n int, op *Op, loc, number int) {
		for _, c := range closes[loc] {
			if c.g == g {
				continue
			}
			at := w.parts[c.g][c.n]
			one := candidate{kind: Closed, roles: []Role{{c.g, w.part(at).Op.At, "close"}, {g, op.At, "close"}}}
			if number != None {
				one.roles[1].What = "send"
			}
			k := keyOf(one.kind, one.roles)
			if listed[k] == maxSolved {
				continue
			}
			listed[k]++
			use := Move{G: w.t.Goroutines[g].Name, Case: number}
			one.last = []Move{w.t.move(at.step, 0, -1), use}
			one.assume = func() ([]order.Lit, bool) {
				lits, ok := w.ready(at)
				return append(lits, w.at(g, n)...), ok
			}
			all = append(all, one)
		}
	}
	for g := range w.parts {
		for n := 0; n <= len(w.parts[g]); n++ {
			op := w.op(g, n)
			if op == nil {
				continue
			}
			if op.Close {
				try(g, n, op, op.Loc, None)
			}
			for i, c := range op.Cases {
				if c.Send && c.Loc != None {
					try(g, n, op, c.Loc, i)
				}
			}
		}
	}
	return all
}

// stops lists orders after which each goroutine has ended or has to wait, if all of the
// trace is known.
func (w *window) stops() (all []candidate) {
	if !w.whole() {
		return nil
	}
	t := &target{end: stops}
	begun := false
	c := candidate{kind: Deadlock}
	c.assume = func() ([]order.Lit, bool) {
		if begun {
			if w.cut == nil {
				return nil, false // the last one was not found
			}
			w.excludeOrder(t.active)
		} else if begun = true; !w.stop(t) {
			return nil, false
		}
		w.cut = nil
		return t.assume, true
	}
	c.cut = func() (roles []Role) {
		for g, list := range w.parts {
			n := 0
			for n < len(list) && slices.Contains(w.cut, list[n].step) {
				n++
			}
			if op := w.op(g, n); op != nil && w.born(g) {
				roles = append(roles, Role{g, op.At, "wait"})
			}
		}
		return roles
	}
	return slices.Repeat([]candidate{c}, maxStops)
}

// born reports whether goroutine g has been started in the last solution.
func (w *window) born(g int) bool {
	b := w.t.Goroutines[g].Born
	return b == None || slices.Contains(w.cut, b)
}

// nilReads lists reads of an address in whose place nil was there, before or after.
func (w *window) nilReads() (all []candidate) {
	empty := make([]bool, len(w.t.Locations))
	for loc := range empty {
		empty[loc] = w.t.Locations[loc].Initial == 0
		for _, p := range w.puts[loc] {
			empty[loc] = empty[loc] || p.value == 0
		}
	}
	listed := map[Spot]int{}
	for g, list := range w.parts {
		for _, at := range list {
			p := w.part(at)
			for k, v := range p.Seen {
				if !v.Pointer || !empty[v.Loc] || listed[v.At] == maxSolved {
					continue
				}
				listed[v.At]++
				all = append(all, candidate{
					kind: NilRead, roles: []Role{{g, v.At, "read nil"}},
					last: []Move{w.t.move(at.step, at.part, k)},
					assume: func() ([]order.Lit, bool) {
						return w.seesInstead(at, k, Seen{Loc: v.Loc, Value: 0})
					},
				})
			}
		}
	}
	return all
}
