package sched

import (
	"fmt"
	"slices"
)

// Lock-order inversions: Havelund, "Using Runtime Analysis to Guide Model
// Checking of Java Programs" (SPIN 2000), with the refinements of Bensalem and
// Havelund, "Dynamic Deadlock Analysis of Multi-Threaded Programs" (PADTAD
// 2005): no cycle within one goroutine, none that a gate lock guards, and none
// whose sections are ordered by the start of a goroutine.
//
// Deviations. Only cycles of two locks are looked for. Sections also count as
// ordered when anything but a lock orders them in this trace, a channel or an
// atomic variable, even where it would not in another: fewer inversions are
// found, and fewer that are none. Two read locks do not exclude each other.

// LockOrder returns the lock-order inversions of a traced execution, each pair
// of places once, in the order in which they were completed. They are warnings:
// a deadlock in some schedule is likely, not certain.
func LockOrder(trace []Event) []Inversion {
	o := &orders{
		clocks: map[int]Clock{}, begun: map[int]Clock{}, objects: map[int32]Clock{},
		held: map[int][]holding{}, nested: map[[2]int32][]nesting{}, seen: map[[4]string]bool{},
	}
	for i := range trace {
		o.event(&trace[i])
	}
	return o.found
}

// orders is what is known after some events.
type orders struct {
	clocks  map[int]Clock   // by goroutine
	begun   map[int]Clock   // by goroutine: of its creator at the go statement
	objects map[int32]Clock // all but locks
	held    map[int][]holding
	nested  map[[2]int32][]nesting // by outer and inner lock
	seen    map[[4]string]bool
	found   []Inversion

	goroutines int // seen so far
}

// takes notes that the operation of g has taken its lock. An execution in which nobody takes
// one while it has another has no inversions, and need not be traced for them.
func (g *goroutine) takes() {
	if k := g.pending.Kind; g.took || k != KindAcquire && k != KindRAcquire {
		return
	}
	g.took = true
	if g.locks++; g.locks > 1 {
		g.x.result.Nested = true
	}
}

// A holding is a lock that a goroutine has.
type holding struct {
	lock   int32
	shared bool
	place  Place
}

// A nesting is the acquisition of a lock by a goroutine that has others.
type nesting struct {
	g            int
	outer, inner holding
	gates        []holding // the other locks that it has
	time         uint32    // the goroutine's entry of clock
	clock        Clock
}

// maxNestings bounds those kept for one pair of locks, so that a long trace
// takes no quadratic time.
const maxNestings = 256

func (o *orders) event(e *Event) {
	o.goroutines = max(o.goroutines, e.G+1)
	clock := o.clocks[e.G]
	for len(clock) <= e.G {
		clock = append(clock, 0)
	}
	clock[e.G]++
	switch e.Kind {
	case KindStart:
		if before, ok := o.begun[e.G]; ok {
			clock.join(before)
		} else if e.With >= 0 {
			clock.join(o.clocks[e.With])
		}
	case KindGo:
		o.begun[e.With] = slices.Clone(clock)
	case KindAcquire, KindRAcquire:
		if e.Took {
			o.take(e, clock)
		}
	case KindRelease, KindRRelease:
		o.drop(e)
	case KindArrive:
	default:
		o.synchronise(e, &clock)
	}
	o.clocks[e.G] = clock
}

// synchronise orders e with the operations on its object, and an unbuffered
// send with the receive.
func (o *orders) synchronise(e *Event, clock *Clock) {
	if e.Obj == 0 {
		return
	}
	clock.join(o.objects[e.Obj])
	if e.With >= 0 {
		clock.join(o.clocks[e.With])
	}
	if e.Kind != KindLoad {
		object := o.objects[e.Obj]
		object.set(*clock)
		o.objects[e.Obj] = object
	}
}

// take notes an acquisition and what it is nested in.
func (o *orders) take(e *Event, clock Clock) {
	inner := holding{e.Obj, e.Kind == KindRAcquire, e.Place}
	held := o.held[e.G]
	for i, outer := range held {
		if outer.lock == inner.lock {
			continue
		}
		gates := append(slices.Clone(held[:i]), held[i+1:]...)
		o.nest(nesting{e.G, outer, inner, gates, clock[e.G], slices.Clone(clock)})
	}
	o.held[e.G] = append(held, inner)
}

// drop notes a release, which may be of a lock that another goroutine took.
func (o *orders) drop(e *Event) {
	shared := e.Kind == KindRRelease
	if o.dropOf(e.G, e.Obj, shared) {
		return
	}
	for g := range o.goroutines {
		if o.dropOf(g, e.Obj, shared) {
			return
		}
	}
}

func (o *orders) dropOf(g int, lock int32, shared bool) bool {
	held := o.held[g]
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].lock == lock && held[i].shared == shared {
			o.held[g] = slices.Delete(held, i, i+1)
			return true
		}
	}
	return false
}

// nest looks for the inversions that n completes, and keeps it.
func (o *orders) nest(n nesting) {
	for _, m := range o.nested[[2]int32{n.inner.lock, n.outer.lock}] {
		if m.inverts(&n) {
			o.report(m, n)
		}
	}
	pair := [2]int32{n.outer.lock, n.inner.lock}
	if list := o.nested[pair]; len(list) < maxNestings {
		o.nested[pair] = append(list, n)
	}
}

// inverts reports whether two goroutines at m and at the later n can wait for
// each other.
func (m *nesting) inverts(n *nesting) bool {
	if m.g == n.g || n.clock.at(m.g) >= m.time ||
		!m.outer.excludes(n.inner) || !m.inner.excludes(n.outer) {
		return false
	}
	for _, a := range m.gates {
		for _, b := range n.gates {
			if a.lock == b.lock && a.excludes(b) {
				return false
			}
		}
	}
	return true
}

func (h holding) excludes(other holding) bool { return !h.shared || !other.shared }

func (o *orders) report(m, n nesting) {
	i := Inversion{[2][2]Place{{m.outer.place, m.inner.place}, {n.outer.place, n.inner.place}}}
	key := func(p Place) string { return fmt.Sprint(p.File, ":", p.Line) }
	a, b := [2]string{key(m.outer.place), key(m.inner.place)}, [2]string{key(n.outer.place), key(n.inner.place)}
	if o.seen[[4]string{a[0], a[1], b[0], b[1]}] {
		return
	}
	o.seen[[4]string{a[0], a[1], b[0], b[1]}] = true
	o.seen[[4]string{b[0], b[1], a[0], a[1]}] = true
	o.found = append(o.found, i)
}
