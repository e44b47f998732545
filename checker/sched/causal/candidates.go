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
				if x.g == y.g || listed[at] == maxSolved || !x.touch.races(y.touch) || w.guarded(x.g, x.n, y.g, y.n) {
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
		for _, i := range members {
			c.roles = append(c.roles, Role{list[i].g, list[i].op.At, "lock"})
		}
		if k := keyOf(c.kind, c.roles); listed[k] < maxSolved {
			listed[k]++
			c.assume = func() (lits []order.Lit, ok bool) {
				for _, i := range members {
					lits = append(lits, w.at(list[i].g, list[i].n)...)
				}
				return lits, true
			}
			all = append(all, c)
		}
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
