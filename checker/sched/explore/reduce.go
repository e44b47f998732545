package explore

import "mendel/checker/sched"

// reduction is dynamic partial-order reduction by source sets with sleep sets:
// Abdulla, Aronis, Jonsson and Sagonas, "Optimal Dynamic Partial Order
// Reduction" (POPL 2014), algorithm 1, after Flanagan and Godefroid (POPL 2005).
//
// Whenever a goroutine makes a step, the step is compared with every earlier one
// that depends on it and did not happen before the goroutine's previous step.
// The step might come first: so one of the goroutines that can begin the
// sequence of what did not happen after the earlier step, and then the step
// itself, has to be explored at the earlier decision.
//
// Deviations, which only add executions. The paper's goroutines never disable
// each other. Here all such earlier steps count, not only those that can be
// reversed at once: the acquisition of a lock as well as the release after it.
// What is still pending at the end, enabled or not, is compared like a step:
// so is a deadlock found that another order leads to. If none of the
// goroutines wanted is enabled, all that are will be explored. An execution that
// a failure cuts short is treated as if its last step disabled all others.
//
// The rule of 2005, which compares with the last dependent step only and wants
// any goroutine that precedes, loses schedules when combined with sleep sets:
// the litmus program "write to read causality" shows it.
type reduction struct {
	blocked []sched.Pending // of the state, see Watcher
	clocks  [][]int32       // by slot: by slot, 1 + index of the last step that happened before
	known   []bool          // by slot: has been seen
	last    int             // index of the last step in the path, -1: none
	work    int             // comparisons made in the execution, in entries of clocks

	scratch []int32
	first   []int // by slot: its first step in a sequence, -1: none
}

// slot is the place of goroutine g, or of the clock, in lists.
func slot(g int) int { return g - sched.TheClock }

func (r *reduction) reset() {
	r.blocked = nil
	r.clocks = r.clocks[:0]
	r.known = r.known[:0]
	r.last = -1
	r.work = 0
}

// lastStep returns the last decision of path that is a step, or nil.
func lastStep(path []*node) *node {
	for i := len(path) - 1; i >= 0; i-- {
		if !path[i].number {
			return path[i]
		}
	}
	return nil
}

// op returns the operation chosen at a step.
func (n *node) op() *sched.Pending { return &n.enabled[n.chosen] }

// A step is an operation that was done, and the one announced then if the
// goroutine Meets: where it arrives others may do what they could not before.
type step struct{ done, arrival sched.Pending }

// step returns the chosen step.
func (n *node) step() step { return step{n.enabled[n.chosen], n.arrival[n.chosen]} }

// conflicts reports whether the order of the chosen step and one of another
// goroutine can matter.
func (n *node) conflicts(s *step) bool {
	done, arrival := &n.enabled[n.chosen], &n.arrival[n.chosen]
	return sched.Dependent(done, &s.done) ||
		arrival.Meets && sched.Dependent(arrival, &s.done) ||
		s.arrival.Meets && sched.Dependent(done, &s.arrival)
}

// meeting returns the pending operation of g if it Meets.
func meeting(g int, enabled, blocked []sched.Pending) sched.Pending {
	for _, list := range [2][]sched.Pending{enabled, blocked} {
		if i := sched.Index(list, g); i >= 0 && list[i].Meets {
			return list[i]
		}
	}
	return sched.Pending{}
}

// arrive handles the state that path led to. One that an earlier execution was
// in already has been handled.
func (r *reduction) arrive(path []*node, enabled []sched.Pending, handled bool) {
	if r.last >= 0 {
		n := path[r.last]
		g := n.op().G
		if !handled {
			n.arrival[n.chosen] = meeting(g, enabled, r.blocked)
			n.clock = r.order(n.clock, path, r.last, n.step())
			r.races(path, r.last, n.step(), n.clock)
		}
		r.clocks[slot(g)] = n.clock
	}
	r.meet(path, enabled)
	r.meet(path, r.blocked)
}

// meet notes the goroutines that the last step created.
func (r *reduction) meet(path []*node, pending []sched.Pending) {
	for _, p := range pending {
		at := slot(p.G)
		for len(r.clocks) <= at {
			r.clocks = append(r.clocks, nil)
			r.known = append(r.known, false)
		}
		// The clock is not created: it might begin with the timer of another step.
		if !r.known[at] && r.last >= 0 && p.G != sched.TheClock {
			r.clocks[at] = path[r.last].clock
		}
		r.known[at] = true
	}
}

// finish compares what is pending at the end of an execution.
func (r *reduction) finish(path []*node, enabled []sched.Pending) {
	for _, list := range [2][]sched.Pending{enabled, r.blocked} {
		for _, p := range list {
			if r.work > reducible {
				return
			}
			r.scratch = r.order(r.scratch, path, len(path), step{done: p})
			r.races(path, len(path), step{done: p}, r.scratch)
		}
	}
}

// partners handles the goroutines that the step just chosen, path's last, may
// take along as partners of a communication. Their own operations then are
// never steps, and may have been pending with a choice of partners.
func (r *reduction) partners(path []*node) {
	at := len(path) - 1
	n := path[at]
	op := n.op()
	if op.Kind == sched.KindTimer {
		r.unset(path)
	}
	if op.Kind != sched.KindSend && op.Kind != sched.KindSelect {
		return
	}
	for _, list := range [2][]sched.Pending{n.enabled, r.blocked} {
		for _, p := range list {
			if p.G == op.G || !p.Kind.Communicates() || p.Kind == op.Kind && p.Kind == sched.KindSend || !sched.Dependent(&p, op) {
				continue
			}
			if k := sched.Index(n.enabled, p.G); k >= 0 {
				n.todo[k] = true
			}
			r.scratch = r.order(r.scratch, path, at, step{done: p})
			r.races(path, at, step{done: p}, r.scratch)
		}
	}
}

// unset handles the timers that the step just chosen, path's last, may stop: then they
// are never steps, and might have expired before.
func (r *reduction) unset(path []*node) {
	at := len(path) - 1
	n := path[at]
	if k := sched.Index(n.enabled, sched.TheClock); k >= 0 {
		n.todo[k] = true
		s := step{done: n.enabled[k]}
		r.scratch = r.order(r.scratch, path, at, s)
		r.races(path, at, s, r.scratch)
	}
}

// cut handles the end of an execution in its last step.
func (r *reduction) cut(path []*node) {
	if n := lastStep(path); n != nil {
		n.clock = r.order(n.clock, path, r.last, n.step())
		r.races(path, r.last, n.step(), n.clock)
		n.all()
		r.finish(path[:r.last], n.enabled)
	}
}

// order computes what happens before s, itself included, if it is step at.
func (r *reduction) order(clock []int32, path []*node, at int, s step) []int32 {
	op := s.done
	clock = append(clock[:0], r.clocks[slot(op.G)]...)
	r.work += 2 * at // here and in races
	for j := at - 1; j >= 0; j-- {
		e := path[j]
		if !e.number && !before(clock, e.op().G, j) && e.conflicts(&s) {
			clock = join(clock, e.clock)
			r.work += len(clock)
		}
	}
	for len(clock) <= slot(op.G) {
		clock = append(clock, 0)
	}
	clock[slot(op.G)] = int32(at + 1)
	return clock
}

// before reports whether step i, of goroutine g, is in the past that clock describes.
func before(clock []int32, g, i int) bool {
	at := slot(g)
	return at < len(clock) && int(clock[at]) > i
}

func join(a, b []int32) []int32 {
	for len(a) < len(b) {
		a = append(a, 0)
	}
	for g, v := range b {
		a[g] = max(a[g], v)
	}
	return a
}

// races looks for steps that s, which is step at and has the given clock,
// might come before.
func (r *reduction) races(path []*node, at int, s step, clock []int32) {
	op := s.done
	past := r.clocks[slot(op.G)]
	for i := at - 1; i >= 0 && r.work <= reducible; i-- { // beyond, dfs gives it up
		if e := path[i]; !e.number {
			if q := e.op(); q.G != op.G && !before(past, q.G, i) && e.conflicts(&s) && !sched.Exclusive(q, &op) {
				r.reverse(path, i, at, op, clock)
			}
		}
	}
}

// reverse has path[i] explore a goroutine that can begin the sequence of the
// steps between i and at that did not happen after i, and then op.
func (r *reduction) reverse(path []*node, i, at int, op sched.Pending, clock []int32) {
	n := path[i]
	r.first = r.first[:0]
	for range r.clocks {
		r.first = append(r.first, -1)
	}
	r.work += len(r.clocks) + at - i
	wanted := -1
	consider := func(j, g int, clock []int32) (satisfied bool) {
		if r.first[slot(g)] >= 0 {
			return false
		}
		r.first[slot(g)] = j
		r.work += len(r.first)
		for at, f := range r.first {
			if q := at + sched.TheClock; f >= 0 && q != g && before(clock, q, f) {
				return false // something of the sequence comes before it
			}
		}
		k := sched.Index(n.enabled, g)
		if k < 0 {
			return false
		}
		if n.done[k] || n.todo[k] {
			return true
		}
		if wanted < 0 || n.asleep[k] {
			wanted = k
		}
		return false
	}
	for j := i + 1; j < at; j++ {
		e := path[j]
		if !e.number && !before(e.clock, n.op().G, i) && consider(j, e.op().G, e.clock) {
			return
		}
	}
	if consider(at, op.G, clock) {
		return
	}
	if wanted >= 0 {
		n.todo[wanted] = true // without effect if it is asleep: it was explored elsewhere
		return
	}
	n.all()
}

func (n *node) all() {
	for i := range n.todo {
		n.todo[i] = true
	}
}

// begin makes the first alternative of a new decision one that is not asleep.
func (n *node) begin() {
	if i := n.current; i >= 0 && !n.asleep[i] {
		n.todo[i] = true
		return
	}
	for i := range n.enabled {
		if !n.asleep[i] {
			n.todo[i] = true
			return
		}
	}
}

// sleep puts to sleep what was explored at the decision before, or slept there,
// and does not depend on the step made since. An operation that can be done in
// another way than then is awake.
func (n *node) sleep(before *node) {
	if before == nil {
		return
	}
	for i, p := range n.enabled {
		k := sched.Index(before.enabled, p.G)
		if k < 0 || k == before.chosen || !before.asleep[k] && !before.done[k] || p != before.enabled[k] {
			continue
		}
		n.arrival[i] = before.arrival[k]
		n.asleep[i] = !before.conflicts(&step{p, n.arrival[i]})
	}
}
