package causal

import (
	"slices"

	"mendel/checker/sched/causal/order"
)

// A target is something that may happen after an order of some steps.
type target struct {
	assume []order.Lit
	fresh  []uint64 // the histories that begin with it
	last   []Move   // the step in which it happens
	known  int      // of the runs that have the first of fresh: those that are excluded
	end    kindOfEnd
	made   bool // an execution was made for the last solution
	// Clauses of this target only have the negation of active, which is assumed, once
	// activated.
	active    order.Lit
	activated bool
	// Guess reports that it is not known whether an operation would have to wait.
	guess     bool
	states    []uint64 // with guess: what it depends on, see State
	otherwise bool     // it is a default case, possible if all others have to wait
	// Unseen reports that it depends on what is not seen whether an operation fails: on a
	// counter, or on whether others hold a lock.
	unseen bool
	// prepare adds what the target needs to the solver, when its turn has come.
	prepare func(*target) bool
}

// A kindOfEnd says what happens in the end.
type kindOfEnd uint8

const (
	flips kindOfEnd = iota
	races
	stops // no goroutine can go on
)

// next returns the beginning of an execution that shows something new; false if the
// trace leads to nothing more.
func (a *analysis) next() (Plan, bool) {
	for len(a.targets) > 0 && !a.late() {
		t := a.targets[0]
		if t.prepare != nil {
			ok := t.prepare(t)
			if t.prepare = nil; !ok || a.broken != "" {
				a.targets = a.targets[1:]
				continue
			}
		}
		if !t.made || a.again(t) {
			if p, ok := a.solve(t); ok {
				t.made = true
				return p, true
			}
		}
		if a.stopped {
			return nil, false
		}
		if a.targets = a.targets[1:]; a.broken != "" {
			return nil, false
		}
	}
	return nil, false
}

// again looks at what became of the execution that was made for a target. It is false
// if there is nothing more to be learned of that.
func (a *analysis) again(t *target) bool {
	switch {
	case a.failed && !a.reached:
		if t.unseen {
			a.Break("an operation on a wait group or a lock fails in some order")
		}
		return false
	case t.end == races:
		a.Break("a race was foreseen that did not happen")
		return false
	case t.end == stops:
		a.excludeOrder(t.active)
		return true
	case !a.reached && !(t.guess && a.impossible(t)):
		a.Break("an execution was foreseen that did not happen")
	}
	return a.reached
}

// impossible reports whether it has turned out that what was tried has to wait, or, for a
// default case, that another case can be done.
func (a *analysis) impossible(t *target) bool {
	for _, state := range t.states {
		if waits, known := a.blocked[state]; known && waits != t.otherwise {
			return true
		}
	}
	return false
}

// solve finds an order for a target that no execution has shown.
func (a *analysis) solve(t *target) (Plan, bool) {
	a.excludeRuns(t)
	for a.s.Solve(t.assume...) {
		if a.late() {
			return nil, false
		}
		if a.refine() {
			continue
		}
		steps := a.happened()
		var p Plan
		for _, i := range steps {
			p = append(p, a.t.move(i, 0, -1))
		}
		a.planned = append(a.histories(steps), t.fresh...)
		a.cut = steps
		return append(p, t.last...), true
	}
	return nil, false
}

// histories returns the histories that steps lead to.
func (a *analysis) histories(steps []int) (all []uint64) {
	for _, i := range steps {
		for k := range a.t.Steps[i].Parts {
			all = append(all, a.t.Steps[i].Parts[k].Last())
		}
	}
	return all
}

// excludeRuns excludes orders of steps that are, with what is fresh, part of a run: it
// has gone on from there in some way, which will be analysed.
func (a *analysis) excludeRuns(t *target) {
	if len(t.fresh) == 0 {
		return
	}
	runs := a.having[t.fresh[0]]
	for ; t.known < len(runs); t.known++ {
		r := a.runs[runs[t.known]]
		if !r.has(t.fresh) {
			continue
		}
		a.activate(t)
		clause := []order.Lit{t.active.Not()}
		for _, list := range a.parts {
			for _, at := range list {
				if !r.has([]uint64{a.part(at).Last()}) {
					clause = append(clause, a.s.Before(at.step, a.z))
					break
				}
			}
		}
		a.s.Add(clause...)
	}
}

func (a *analysis) activate(t *target) {
	if !t.activated {
		t.active, t.activated = a.s.Bool(), true
		t.assume = append(t.assume, t.active)
	}
}

// excludeOrder excludes the steps of the last solution, all of them and no others, where a
// literal holds.
func (a *analysis) excludeOrder(active order.Lit) {
	var clause []order.Lit
	for _, list := range a.parts {
		n := 0
		for n < len(list) && slices.Contains(a.cut, list[n].step) {
			n++
		}
		if n > 0 {
			clause = append(clause, a.s.Before(a.z, list[n-1].step))
		}
		if n < len(list) {
			clause = append(clause, a.s.Before(list[n].step, a.z))
		}
	}
	a.s.Add(append(clause, active.Not())...)
}

// aim lists the targets of a trace. What comes late in it is tried first: then more of the
// trace has happened before, and little that is left can hide it.
func (a *analysis) aim() {
	for g, list := range a.parts {
		for n := range list {
			a.aimAt(g, n)
		}
		if a.t.Goroutines[g].Next != nil {
			a.aimAt(g, len(list))
		}
	}
	slices.Reverse(a.targets)
	a.aimAtPairs()
	a.aimAtRaces()
	a.aimAtEnds()
}

// op returns what goroutine g does as its n-th part, or has announced; nil: nothing.
func (a *analysis) op(g, n int) *Op {
	if n < len(a.parts[g]) {
		return &a.part(a.parts[g][n]).Op
	}
	return a.t.Goroutines[g].Next
}

// at returns literals that have goroutine g be about to do its n-th part at z.
func (a *analysis) at(g, n int) (all []order.Lit) {
	list := a.parts[g]
	switch born := a.t.Goroutines[g].Born; {
	case n > 0:
		all = append(all, a.s.Before(list[n-1].step, a.z))
	case born != None:
		all = append(all, a.s.Before(born, a.z))
	}
	if n < len(list) {
		all = append(all, a.s.Before(a.z, list[n].step))
	}
	return all
}

// aimAt lists what could be otherwise when goroutine g does its n-th part.
func (a *analysis) aimAt(g, n int) {
	op := a.op(g, n)
	h := Begin(a.t.historyBefore(g, a.parts[g], n))
	var p *Part
	if n < len(a.parts[g]) {
		p = a.part(a.parts[g][n])
	}
	if len(op.Cases) > 0 || op.Default {
		a.aimAtCases(g, n, op, h, p)
	} else if p == nil {
		a.aimAtBlocked(g, n, op, h)
	}
	if p == nil {
		return
	}
	first := 0
	if len(op.Cases) > 0 || op.Default {
		first = seenByCommunication(p)
	}
	for k := first; k < len(p.Seen); k++ {
		v := p.Seen[k]
		switch {
		case v.Of > 0:
			for other := range v.Of {
				if uint64(other) != v.Value {
					a.aimAtSeen(g, n, k, Seen{Loc: None, Value: uint64(other), Of: v.Of})
				}
			}
		case a.follows(v) || v.ByLock && p.Op.Do == Lock:
		default:
			for _, other := range a.values(v.Loc) {
				if other != v.Value {
					a.aimAtSeen(g, n, k, Seen{Loc: v.Loc, Value: other})
				}
			}
		}
	}
}

// values lists the values that a location ever had, each once.
func (a *analysis) values(loc int) []uint64 {
	all := []uint64{a.t.Locations[loc].Initial}
	for _, w := range a.puts[loc] {
		if !slices.Contains(all, w.value) {
			all = append(all, w.value)
		}
	}
	return all
}

// aimAtSeen adds the target that the k-th thing that a part sees is another one.
func (a *analysis) aimAtSeen(g, n, k int, other Seen) {
	at := a.parts[g][n]
	p := a.part(at)
	t := &target{fresh: []uint64{Mix(p.Chain[k], other.Value)}}
	t.last = []Move{a.t.move(at.step, at.part, k)}
	if op := &p.Op; k == 0 && op.Blocks && op.Do == Other && op.Loc == other.Loc && other.Loc != None {
		t.guess, t.states = true, []uint64{State(p.Chain[0], None, other.Value)}
	}
	if other.Of > 0 {
		t.last[0].Numbers = append(t.last[0].Numbers, int(other.Value))
	}
	t.prepare = func(t *target) bool {
		if a.impossible(t) {
			return false
		}
		lits, ok := a.seesInstead(at, k, other)
		t.assume = append(t.assume, lits...)
		return ok
	}
	a.targets = append(a.targets, t)
}

// seesInstead returns literals that have the k-th thing that a part sees at z be another
// one; false if that cannot be.
func (a *analysis) seesInstead(at place, k int, other Seen) (all []order.Lit, ok bool) {
	for i := range a.t.Steps[at.step].Parts {
		part := &a.t.Steps[at.step].Parts[i]
		can, ok := a.can(part, at.step)
		if !ok {
			return nil, false
		}
		all = append(all, can...)
		seen := part.Seen
		if i == at.part {
			seen = seen[:k]
		}
		for _, v := range seen {
			all = append(all, a.sawAtEnd(v)...)
		}
		if i == at.part {
			break
		}
	}
	return append(all, a.sawAtEnd(other)...), true
}

// can returns literals that have the goroutine of a part of a step be about to do it at z,
// and not have to wait for a lock or a counter; false if that cannot be.
func (a *analysis) can(p *Part, step int) (all []order.Lit, ok bool) {
	all = a.at(p.G, a.indexOf(p.G, step))
	if p.Op.Loc != None && a.locks(&p.Op) {
		all = append(all, a.free(&p.Op)...)
	}
	if p.Op.Do == WaitZero {
		zero, ok := a.zero(p.Op.Loc, p.G, step)
		if !ok {
			return nil, false
		}
		all = append(all, zero...)
	}
	return all, true
}

// indexOf is which part of goroutine g belongs to a step.
func (a *analysis) indexOf(g, step int) int {
	return slices.IndexFunc(a.parts[g], func(p place) bool { return p.step == step })
}

// sawAtEnd returns literals that have something be seen at z.
func (a *analysis) sawAtEnd(v Seen) []order.Lit {
	if a.follows(v) {
		return nil
	}
	return []order.Lit{a.valueAtEnd(v.Loc, v.Value)}
}

// aimAtBlocked adds that an operation that waited when the trace ended can be done.
func (a *analysis) aimAtBlocked(g, n int, op *Op, h uint64) {
	move := []Move{{G: a.t.Goroutines[g].Name, Case: None}}
	if op.Loc == None && op.Blocks {
		return // for ever
	}
	if op.Loc == None || a.locks(op) || op.Do == WaitZero || op.Do == Unlock && !a.crossed(op.Loc) || op.Do == RUnlock || op.Do == Add {
		a.targets = append(a.targets, &target{fresh: []uint64{h}, unseen: releases(op), last: move, prepare: func(t *target) bool {
			t.assume = a.at(g, n)
			switch {
			case op.Loc == None:
			case op.Do == WaitZero:
				zero, ok := a.zero(op.Loc, g, len(a.t.Steps))
				t.assume = append(t.assume, zero...)
				return ok
			case a.locks(op):
				t.assume = append(t.assume, a.free(op)...)
			}
			return true
		}})
		return
	}
	for _, v := range a.values(op.Loc) {
		if op.Do == Lock && v != 0 {
			continue
		}
		unseen := releases(op) && a.t.Locations[op.Loc].Kind != Mutex
		a.targets = append(a.targets, &target{fresh: []uint64{Mix(h, v)}, guess: true, unseen: unseen, states: []uint64{State(h, None, v)}, last: move, prepare: func(t *target) bool {
			if a.impossible(t) {
				return false
			}
			t.assume = append(a.at(g, n), a.valueAtEnd(op.Loc, v))
			return true
		}})
	}
}

// releases reports whether an operation fails if there is too little to release.
func releases(op *Op) bool {
	return op.Loc != None && (op.Do == Add || op.Do == Unlock || op.Do == RUnlock)
}
