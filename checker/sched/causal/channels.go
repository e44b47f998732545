package causal

import (
	"slices"

	"mendel/checker/sched/causal/order"
)

// A communication sees first which case is done, counted from 1 (0: the default case).
// Then it sees
//
//   - of a buffered channel its state;
//   - of an unbuffered channel that it is open (0), and the history of the partner; or
//     that it is closed (1);
//   - with the default case the states of all channels, 1 being that of an unbuffered
//     one that is closed.

// seenByCommunication is how much of what a part saw belongs to its communication.
func seenByCommunication(p *Part) int {
	switch {
	case p.Case == None:
		n := 1
		for _, c := range p.Op.Cases {
			if c.Loc != None {
				n++
			}
		}
		return n
	case p.Op.Cases[p.Case].Unbuffered && p.Seen[1].Value == 0:
		return 3
	}
	return 2
}

// aimAtCases adds the other ways to do a communication, but those that need a partner.
func (a *analysis) aimAtCases(g, n int, op *Op, h uint64, p *Part) {
	for i, c := range op.Cases {
		if c.Loc == None {
			continue
		}
		for _, v := range a.values(c.Loc) {
			if c.Unbuffered && v == 0 || p != nil && p.Case == i && p.Seen[1].Value == v {
				continue
			}
			a.aimAtCase(g, n, h, op, i, []Seen{{Loc: c.Loc, Value: v}})
		}
	}
	if !op.Default {
		return
	}
	for _, seen := range a.states(op.Cases) {
		if p == nil || p.Case != None || !slices.Equal(seen, p.Seen[1:1+len(seen)]) {
			a.aimAtCase(g, n, h, op, None, seen)
		}
	}
}

// manyStates bounds how many states of its channels are considered for one select.
const manyStates = 256

// states lists the states in which the channels of a select with a default case may be.
func (a *analysis) states(cases []Case) [][]Seen {
	all := [][]Seen{nil}
	for _, c := range cases {
		if c.Loc == None {
			continue
		}
		var more [][]Seen
		for _, seen := range all {
			for _, v := range a.values(c.Loc) {
				if c.Unbuffered && v != 0 {
					continue // closed: then the case can be done
				}
				more = append(more, append(slices.Clip(seen), Seen{Loc: c.Loc, Value: v}))
			}
		}
		if all = more; len(all) > manyStates {
			a.Break("a select with a default case depends on too many states of its channels")
			return nil
		}
	}
	return all
}

// aimAtCase adds that a communication is done in some way.
func (a *analysis) aimAtCase(g, n int, h uint64, op *Op, number int, seen []Seen) {
	fresh := Mix(h, uint64(number+1))
	for _, v := range seen {
		fresh = Mix(fresh, v.Value)
	}
	t := &target{fresh: []uint64{fresh}, guess: true, states: dependsOn(h, op.Cases, number, seen), otherwise: number == None, last: []Move{{G: a.t.Goroutines[g].Name, Case: number}}}
	t.prepare = func(t *target) bool {
		if a.impossible(t) {
			return false
		}
		t.assume = a.at(g, n)
		for _, v := range seen {
			t.assume = append(t.assume, a.sawAtEnd(v)...)
		}
		return true
	}
	a.targets = append(a.targets, t)
}

// dependsOn lists the states on which it depends whether a case, or the default case, can
// be done.
func dependsOn(h uint64, cases []Case, number int, seen []Seen) (all []uint64) {
	if number != None {
		return []uint64{State(h, number, seen[0].Value)}
	}
	for i, c := range cases {
		if c.Loc != None {
			all = append(all, State(h, i, seen[len(all)].Value))
		}
	}
	return all
}

// An offer is a case at an unbuffered channel.
type offer struct {
	g, n, number int
	send         bool
	waits        bool // it lets others come; with a default case it does not
}

// offers lists the cases at each unbuffered channel.
func (a *analysis) offers() (all [][]offer) {
	all = make([][]offer, len(a.t.Locations))
	for g, list := range a.parts {
		for n := 0; n <= len(list); n++ {
			op := a.op(g, n)
			if op == nil {
				continue
			}
			for i, c := range op.Cases {
				if c.Unbuffered && c.Loc != None {
					all[c.Loc] = append(all[c.Loc], offer{g, n, i, c.Send, !op.Default})
				}
			}
		}
	}
	return all
}

// aimAtPairs adds that partners meet at unbuffered channels that did not.
func (a *analysis) aimAtPairs() {
	for loc, list := range a.offers() {
		for _, x := range list {
			for _, y := range list {
				if x.g != y.g && (x.send && !y.send && y.waits || !x.waits && y.waits && x.send != y.send) && !a.met(x, y) {
					a.aimAtPair(loc, x, y)
				}
			}
		}
	}
}

// met reports whether x and y are one step of the trace.
func (a *analysis) met(x, y offer) bool {
	if x.n == len(a.parts[x.g]) || y.n == len(a.parts[y.g]) {
		return false
	}
	p, q := a.parts[x.g][x.n], a.parts[y.g][y.n]
	return p.step == q.step && a.part(p).Case == x.number && a.part(q).Case == y.number
}

func (a *analysis) aimAtPair(loc int, x, y offer) {
	before := func(o offer) uint64 { return a.t.historyBefore(o.g, a.parts[o.g], o.n) }
	meets := func(o, with offer) uint64 {
		h := Mix(Begin(before(o)), uint64(o.number+1))
		return Mix(Mix(h, 0), before(with))
	}
	a.targets = append(a.targets, &target{
		fresh: []uint64{meets(x, y), meets(y, x)},
		last:  []Move{{G: a.t.Goroutines[x.g].Name, Case: x.number, Partner: a.t.Goroutines[y.g].Name, PartnerCase: y.number}},
		prepare: func(t *target) bool {
			t.assume = append(a.at(x.g, x.n), a.at(y.g, y.n)...)
			t.assume = append(t.assume, a.valueAtEnd(loc, 0))
			return true
		},
	})
}

// waitsForCases returns clauses that have a communication have to wait at z, but for
// partners, see noPartners.
func (a *analysis) waitsForCases(g, n int, op *Op) (all [][]order.Lit, ok bool) {
	h := Begin(a.t.historyBefore(g, a.parts[g], n))
	for i, c := range op.Cases {
		switch {
		case c.Loc == None:
		case c.Unbuffered:
			all = append(all, []order.Lit{a.valueAtEnd(c.Loc, 0)})
		default:
			clauses, ok := a.waitsFor(h, i, c.Loc)
			if !ok {
				return nil, false
			}
			all = append(all, clauses...)
		}
	}
	return all, true
}

// noPartners has no two goroutines that wait at z be partners at an unbuffered channel. Of
// at there is a literal for each number of parts that a goroutine has done, -1: it does
// not stop there.
func (a *analysis) noPartners(at [][]order.Lit) {
	for _, list := range a.offers() {
		for _, x := range list {
			for _, y := range list {
				if x.g != y.g && x.send && !y.send && at[x.g][x.n] >= 0 && at[y.g][y.n] >= 0 {
					a.s.Add(at[x.g][x.n].Not(), at[y.g][y.n].Not())
				}
			}
		}
	}
}
