package causal

import (
	"slices"

	"mendel/checker/sched/causal/order"
)

// An analysis looks for orders of the steps of a trace, or of some of them, after which
// something happens that no execution has shown.
//
// Each step is an event of the solver. Another one, z, is where the order ends: what
// comes before it has happened, and what comes after it has not. So a step need see
// what it saw in the trace only if it comes before z. What z has to be is the target's.
type analysis struct {
	*Explorer
	t        *Trace
	s        *order.Solver
	z        int
	parts    [][]place // by goroutine, in order
	puts     [][]put   // by location, in order
	needs    []*need
	atEnd    map[Put]order.Lit // a location has a value at z
	sections [][]section       // by location
	targets  []*target
	reach    []bitset // by step: those that come before it in each order
	cut      []int    // the steps that happened in the last solution
	lazy     bool     // sections exclude each other where a solution has them overlap
	pairs    []overlap
}

// A place is a part of a step.
type place struct{ step, part int }

// A put is a write.
type put struct {
	step  int
	value uint64
}

// A need is a location's value at an event.
type need struct {
	at, loc int
	ways    []way
}

// A way is to read the value of one write, None: the initial one.
type way struct {
	chosen order.Lit
	from   int
}

func (e *Explorer) analyse(t *Trace) *analysis {
	a := e.constrain(t, false)
	a.aim()
	return a
}

// constrain is an analysis without targets.
func (e *Explorer) constrain(t *Trace, lazy bool) *analysis {
	n := len(t.Steps)
	a := &analysis{Explorer: e, t: t, s: order.New(n + 1), z: n, lazy: lazy,
		parts: make([][]place, len(t.Goroutines)), puts: make([][]put, len(t.Locations)),
		atEnd: map[Put]order.Lit{}, sections: make([][]section, len(t.Locations))}
	a.index()
	a.programOrder()
	for i := range t.Steps {
		for k := range t.Steps[i].Parts {
			a.sees(i, &t.Steps[i].Parts[k])
		}
	}
	a.excludes()
	a.counts()
	return a
}

// index lists the parts of each goroutine and the writes to each location.
func (a *analysis) index() {
	for i := range a.t.Steps {
		for k := range a.t.Steps[i].Parts {
			p := &a.t.Steps[i].Parts[k]
			a.parts[p.G] = append(a.parts[p.G], place{i, k})
			for _, w := range p.Put {
				a.puts[w.Loc] = append(a.puts[w.Loc], put{i, w.Value})
			}
		}
	}
}

func (a *analysis) part(p place) *Part { return &a.t.Steps[p.step].Parts[p.part] }

// programOrder has steps of one goroutine come in order, and those of a goroutine after
// the step that started it.
func (a *analysis) programOrder() {
	a.reach = make([]bitset, len(a.t.Steps))
	for i := range a.reach {
		a.reach[i] = newBitset(len(a.t.Steps))
	}
	from := make([][]int, len(a.t.Steps))
	for g, list := range a.parts {
		last := a.t.Goroutines[g].Born
		for _, p := range list {
			if last != None {
				a.s.Fix(last, p.step)
				from[p.step] = append(from[p.step], last)
			}
			last = p.step
		}
	}
	for i, list := range from { // the trace itself is such an order
		for _, k := range list {
			a.reach[i].add(k)
			a.reach[i].join(a.reach[k])
		}
	}
}

// sees has a part see what it saw, if its step comes before z.
func (a *analysis) sees(step int, p *Part) {
	for _, v := range p.Seen {
		if a.follows(v) {
			continue
		}
		clause := []order.Lit{a.s.Before(a.z, step)}
		a.s.Add(append(clause, a.value(step, v.Loc, v.Value)...)...)
	}
}

// follows reports whether something that is seen needs no constraint.
func (a *analysis) follows(v Seen) bool {
	return v.Loc == None || v.ByLock && !a.crossed(v.Loc)
}

// value returns the ways in which a location may have a value at an event: one of them
// must hold.
func (a *analysis) value(at, loc int, value uint64) (any []order.Lit) {
	n := &need{at: at, loc: loc}
	if a.t.Locations[loc].Initial == value {
		n.ways = append(n.ways, way{a.s.Bool(), None})
	}
	for _, w := range a.puts[loc] {
		if w.value != value || w.step == at {
			continue
		}
		l := a.s.Bool()
		a.s.Add(l.Not(), a.s.Before(w.step, at))
		n.ways = append(n.ways, way{l, w.step})
	}
	for _, w := range n.ways {
		any = append(any, w.chosen)
	}
	// The way of the trace is the first to try.
	if last := a.lastPut(at, loc); last >= 0 && a.puts[loc][last].value == value {
		for _, w := range n.ways {
			if w.from == a.puts[loc][last].step {
				a.s.Prefer(w.chosen)
			}
		}
	} else if last < 0 && len(n.ways) > 0 && n.ways[0].from == None {
		a.s.Prefer(n.ways[0].chosen)
	}
	a.needs = append(a.needs, n)
	return any
}

// lastPut is the index of the last write to a location before an event of the trace, -1
// if there is none.
func (a *analysis) lastPut(at, loc int) int {
	last := -1
	for i, w := range a.puts[loc] {
		if w.step < at {
			last = i
		}
	}
	return last
}

// valueAtEnd returns a literal that has a location have a value at z.
func (a *analysis) valueAtEnd(loc int, value uint64) order.Lit {
	key := Put{Loc: loc, Value: value}
	l, ok := a.atEnd[key]
	if !ok {
		l = a.s.Bool()
		a.s.Add(append(a.value(a.z, loc, value), l.Not())...)
		a.atEnd[key] = l
	}
	return l
}

// refine adds what forbids that another write comes between one that is read and its
// reader, and that sections overlap, where the solution has that. It reports whether it
// has.
func (a *analysis) refine() bool {
	type clause []order.Lit
	var found []clause
	for _, o := range a.pairs {
		if a.s.Precedes(o.at, a.z) && a.s.Precedes(o.q.from, o.at) && (o.q.to == None || a.s.Precedes(o.at, o.q.to)) {
			found = append(found, append(clause{a.s.Before(a.z, o.at)}, a.outside(o.at, o.q)...))
		}
	}
	for _, n := range a.needs {
		for _, w := range n.ways {
			if !a.s.True(w.chosen) {
				continue
			}
			for _, between := range a.puts[n.loc] {
				if between.step == w.from || between.step == n.at || !a.s.Precedes(between.step, n.at) ||
					w.from != None && !a.s.Precedes(w.from, between.step) {
					continue
				}
				c := clause{w.chosen.Not(), a.s.Before(n.at, between.step)}
				if w.from != None {
					c = append(c, a.s.Before(between.step, w.from))
				}
				found = append(found, c)
			}
		}
	}
	for _, c := range found {
		a.s.Add(c...)
	}
	return len(found) > 0
}

// happened returns the steps that come before z in the solution, in its order.
func (a *analysis) happened() []int {
	var steps []int
	for i := range a.t.Steps {
		if a.s.Precedes(i, a.z) {
			steps = append(steps, i)
		}
	}
	slices.SortFunc(steps, func(i, k int) int {
		if a.s.Precedes(i, k) {
			return -1
		}
		return 1
	})
	return steps
}

// before returns the history that a goroutine has before its n-th part.
func (t *Trace) historyBefore(g int, list []place, n int) uint64 {
	if n == 0 {
		return t.Goroutines[g].Name
	}
	p := list[n-1]
	return t.Steps[p.step].Parts[p.part].Last()
}

// history returns the key of what a goroutine does after the trace.
func (t *Trace) history(g int) uint64 {
	h := t.Goroutines[g].Name
	for i := range t.Steps {
		for k := range t.Steps[i].Parts {
			if p := &t.Steps[i].Parts[k]; p.G == g {
				h = p.Last()
			}
		}
	}
	return Mix(Begin(h), 0)
}

// Begin returns the first hash of a part whose goroutine has history h.
func Begin(h uint64) uint64 { return Mix(h, 0x5354) }

// A bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bitset) join(c bitset) {
	for i := range b {
		b[i] |= c[i]
	}
}
