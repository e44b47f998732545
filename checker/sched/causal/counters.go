package causal

import "mendel/checker/sched/causal/order"

// A counter's operations commute: who adds sees nothing. Who waits has to come after all
// that brings the counter to zero. That is so simple where each addition of a positive
// number comes before a wait in every order, or after it, and where no order has the
// counter fall below zero. Else nothing is claimed.

// An addition is a step that changes a counter.
type addition struct{ step, delta int }

func (a *analysis) additions(loc int) (all []addition) {
	for i := range a.t.Steps {
		for k := range a.t.Steps[i].Parts {
			if p := &a.t.Steps[i].Parts[k]; p.Op.Loc == loc && p.Op.Do == Add && p.Delta != 0 {
				all = append(all, addition{i, p.Delta})
			}
		}
	}
	return all
}

// counts has waits for counters come after what they wait for.
func (a *analysis) counts() {
	for loc, l := range a.t.Locations {
		if l.Kind != Counter {
			continue
		}
		all := a.additions(loc)
		if !a.staysPositive(int(int64(l.Initial)), all) {
			a.Break("the counter of a wait group may become negative in some order")
			return
		}
	}
	for i := range a.t.Steps {
		for k := range a.t.Steps[i].Parts {
			p := &a.t.Steps[i].Parts[k]
			if p.Op.Loc == None || p.Op.Do != WaitZero {
				continue
			}
			wanted, _, ok := a.awaited(p.Op.Loc, place{i, k}, p.G)
			if !ok {
				a.Break("a wait group is used again in an order that is left open")
				return
			}
			for _, w := range wanted {
				if w > i {
					a.Break("a wait for a wait group ended in a way that is not followed")
				}
				a.s.Add(a.s.Before(a.z, i), a.s.Before(w, i))
			}
		}
	}
}

// awaited returns the steps that have to come before a wait at a counter; never reports
// that the trace does not have enough of them, and ok is false if it cannot be told so.
// The wait is a place, or, with a step past the trace, what goroutine g announced last.
func (a *analysis) awaited(loc int, at place, g int) (wanted []int, never, ok bool) {
	sum := int(int64(a.t.Locations[loc].Initial))
	for _, w := range a.additions(loc) {
		switch {
		case a.precedes(w.step, at.step, g):
			if sum += w.delta; w.delta < 0 {
				wanted = append(wanted, w.step)
			}
		case at.step < len(a.t.Steps) && a.reach[w.step].has(at.step):
		case w.delta > 0:
			return nil, false, false
		default:
			sum += w.delta
			wanted = append(wanted, w.step)
		}
	}
	return wanted, sum > 0, sum >= 0
}

// precedes reports whether a step comes before another one, or what goroutine g announced
// last, in each order.
func (a *analysis) precedes(step, at, g int) bool {
	if at < len(a.t.Steps) {
		return a.reach[at].has(step)
	}
	last := a.t.Goroutines[g].Born
	if n := len(a.parts[g]); n > 0 {
		last = a.parts[g][n-1].step
	}
	return last != None && (last == step || a.reach[last].has(step))
}

// staysPositive reports whether each unit that is taken from a counter was there at first,
// or was added before in each order.
func (a *analysis) staysPositive(first int, all []addition) bool {
	left := map[int]int{}
	for _, w := range all {
		if w.delta > 0 {
			left[w.step] = w.delta
			continue
		}
		want := -w.delta
		for k := len(all) - 1; k >= 0 && want > 0; k-- { // the last that comes before
			if n := left[all[k].step]; n > 0 && all[k].delta > 0 && a.reach[w.step].has(all[k].step) {
				n = min(n, want)
				left[all[k].step] -= n
				want -= n
			}
		}
		if first -= want; first < 0 {
			return false
		}
	}
	return true
}

// zero returns literals that have a wait that is not part of an order yet be over at z;
// false if that cannot be.
func (a *analysis) zero(loc, g, step int) (all []order.Lit, ok bool) {
	wanted, never, ok := a.awaited(loc, place{step, 0}, g)
	if !ok {
		a.Break("a wait group is used again in an order that is left open")
	}
	if !ok || never {
		return nil, false
	}
	for _, w := range wanted {
		all = append(all, a.s.Before(w, a.z))
	}
	return all, true
}
