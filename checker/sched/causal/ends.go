package causal

import (
	"slices"

	"mendel/checker/sched/causal/order"
)

// aimAtRaces adds that two accesses of different goroutines that touch the same memory
// are made with nothing between them: each before the other's goroutine goes on.
func (a *analysis) aimAtRaces() {
	type access struct {
		g, n int
		p    *Part
	}
	words := map[uintptr][]access{}
	var all []uintptr
	for g, list := range a.parts {
		for n, at := range list {
			p := a.part(at)
			var met []uintptr
			for _, t := range p.Touches {
				if slices.Contains(met, t.Word) {
					continue
				}
				met = append(met, t.Word)
				if len(words[t.Word]) == 0 {
					all = append(all, t.Word)
				}
				words[t.Word] = append(words[t.Word], access{g, n, p})
			}
		}
	}
	type pair struct{ g, n, h, m int }
	done := map[pair]bool{}
	for _, w := range all {
		for i, x := range words[w] {
			for _, y := range words[w][:i] {
				key := pair{y.g, y.n, x.g, x.n}
				if x.g == y.g || done[key] || !touch(x.p, y.p) {
					continue
				}
				done[key] = true
				a.aimAtRace(x.g, x.n, y.g, y.n)
			}
		}
	}
}

func touch(p, q *Part) bool {
	for _, t := range p.Touches {
		for _, u := range q.Touches {
			if t.Races(u) {
				return true
			}
		}
	}
	return false
}

func (a *analysis) aimAtRace(g, n, h, m int) {
	assume, ok := a.meets(g, n, h, m)
	if !ok {
		return
	}
	a.targets = append(a.targets, &target{end: races, prepare: func(r *target) bool {
		r.assume, _ = assume()
		return true
	}})
}

// meets returns what has the n-th part of g and the m-th of h be made with nothing between
// them: each before the other's goroutine goes on. It is false if one has to come before
// the other.
func (a *analysis) meets(g, n, h, m int) (assume func() ([]order.Lit, bool), ok bool) {
	s, t := a.parts[g][n].step, a.parts[h][m].step
	if s == t {
		return nil, false
	}
	after := func(g, n int) int {
		if n+1 < len(a.parts[g]) {
			return a.parts[g][n+1].step
		}
		return None
	}
	sNext, tNext := after(g, n), after(h, m)
	if sNext != None && (sNext == t || a.reach[t].has(sNext)) || tNext != None && (tNext == s || a.reach[s].has(tNext)) {
		return nil, false
	}
	return func() ([]order.Lit, bool) {
		all := []order.Lit{a.s.Before(s, a.z), a.s.Before(t, a.z)}
		if sNext != None {
			all = append(all, a.s.Before(t, sNext), a.s.Before(a.z, sNext))
		}
		if tNext != None && tNext != sNext {
			all = append(all, a.s.Before(s, tNext), a.s.Before(a.z, tNext))
		}
		return all, true
	}, true
}

// aimAtEnds adds that some steps of the trace are all that happens, since each goroutine
// has ended or has to wait.
func (a *analysis) aimAtEnds() {
	a.targets = append(a.targets, &target{end: stops, prepare: a.stop})
}

func (a *analysis) stop(t *target) bool {
	a.activate(t)
	var more []order.Lit // some step does not happen
	at := make([][]order.Lit, len(a.parts))
	for g, list := range a.parts {
		clause := []order.Lit{t.active.Not()}
		if born := a.t.Goroutines[g].Born; born != None {
			clause = append(clause, a.s.Before(a.z, born))
		}
		if n := len(list); n > 0 {
			more = append(more, a.s.Before(a.z, list[n-1].step))
		}
		at[g] = make([]order.Lit, len(list)+1)
		for n := 0; n <= len(list); n++ {
			waits, ok := a.waits(g, n)
			if !ok {
				at[g][n] = -1
				continue
			}
			l := a.s.Bool()
			for _, k := range a.at(g, n) {
				a.s.Add(l.Not(), k)
			}
			for _, c := range waits {
				a.s.Add(append(slices.Clone(c), l.Not())...)
			}
			at[g][n] = l
			clause = append(clause, l)
		}
		a.s.Add(clause...)
	}
	if len(more) == 0 {
		return false
	}
	a.s.Add(append(more, t.active.Not())...)
	a.noPartners(at)
	return true
}

// waits returns clauses that have goroutine g, about to do its n-th part, have to wait at
// z, or have ended; false if it never has to.
func (a *analysis) waits(g, n int) (all [][]order.Lit, ok bool) {
	op := a.op(g, n)
	switch {
	case op == nil:
		return nil, true
	case !op.Blocks:
		return nil, false
	case len(op.Cases) > 0:
		return a.waitsForCases(g, n, op)
	case op.Loc == None:
		return nil, true // for ever, such as a select without cases
	case a.locks(op):
		any := a.taken(op)
		return [][]order.Lit{any}, len(any) > 0
	case op.Do == WaitZero:
		step := len(a.t.Steps)
		if n < len(a.parts[g]) {
			step = a.parts[g][n].step
		}
		zero, ok := a.zero(op.Loc, g, step)
		if !ok {
			return nil, true
		}
		var any []order.Lit
		for _, l := range zero {
			any = append(any, l.Not())
		}
		return [][]order.Lit{any}, len(any) > 0
	case op.Do == Lock:
		return [][]order.Lit{{a.valueAtEnd(op.Loc, 1)}}, true
	}
	return a.waitsFor(Begin(a.t.historyBefore(g, a.parts[g], n)), None, op.Loc)
}

// waitsFor returns a clause that has an operation have to wait at z because of the value
// of a location: one of those that are not known to let it go on.
func (a *analysis) waitsFor(h uint64, number, loc int) ([][]order.Lit, bool) {
	var any []order.Lit
	for _, v := range a.values(loc) {
		if waits, known := a.blocked[State(h, number, v)]; waits || !known {
			any = append(any, a.valueAtEnd(loc, v))
		}
	}
	return [][]order.Lit{any}, len(any) > 0
}
