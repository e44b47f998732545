package explore

import (
	"fmt"

	"mendel/checker/sched"
)

// dfs explores all schedules depth first, by making execution after execution
// along the path to the deepest decision with something left to try.
//
// Without a bound it explores one schedule of each class of equivalent ones
// (reduction, reduce.go). With a bound on preemptions, switches away from a
// goroutine that could go on (Musuvathi and Qadeer, "Iterative Context Bounding
// for Systematic Testing of Multithreaded Programs", PLDI 2007), it explores
// all schedules within it: a schedule may need more preemptions than an
// equivalent one, so the plain reduction would lose behaviour (Coons, Musuvathi
// and McKinley, "Bounded Partial-Order Reduction", OOPSLA 2013, section 3).
//
// Loops that wait end by fairness.go. Fair schedules are not closed under
// equivalence, so the first time fairness bars an enabled goroutine the
// reduction is given up and the search begins again without it. The same
// happens when an execution takes more than reducible comparisons. One whose
// decisions take more room than roomy ends the search without a claim.
type dfs struct {
	bound  int  // on preemptions; -1: none
	reduce bool // implies that there is no bound

	path     []*node // decisions of the execution; beyond depth those to repeat
	depth    int
	fair     fairness
	order    reduction
	begun    bool
	again    bool // the last execution was stopped: repeat it
	restart  bool
	strict   bool   // end instead of giving the reduction up for its cost
	size     int    // alternatives in path
	exceeded bool   // the search has ended for its size
	diverged string // how the execution differed from the one that it should repeat

	limited bool // the bound left something out
	unfair  bool // fairness left something out

	part *partition // nil: it explores all

	impact   *sched.Impact // only what it prefers is explored; nil: all
	deferred bool          // something was left out for that
}

const (
	// reducible bounds the work of the reduction in one execution, which grows
	// with the square of its length: some tenths of a second.
	reducible = 50_000_000
	// roomy bounds the alternatives on the path: some 100 MB.
	roomy = 1 << 20
)

// A node is a decision.
type node struct {
	number    bool // between value and those up to n
	value, n  int
	enabled   []sched.Pending
	asleep    []bool          // an equivalent schedule was explored
	todo      []bool          // to be explored
	done      []bool          // explored, or being so
	barred    []bool          // by fairness
	kept      []bool          // with impact
	arrival   []sched.Pending // what the goroutine announced when it had been chosen, if it Meets
	chosen    int             // index in enabled
	current   int             // index of the goroutine that made the last step, or -1
	yielding  bool
	preempted int     // preemptions before the decision
	early     int     // timers that expired early, of them
	units     []int   // of the first execution, by alternative; see partition
	clock     []int32 // what happened before the chosen step, itself included
}

func newDFS(bound int, reduce bool) *dfs {
	return &dfs{bound: bound, reduce: reduce && bound < 0}
}

// anew begins the search again.
func (s *dfs) anew() {
	*s = dfs{bound: s.bound, reduce: s.reduce, strict: s.strict, part: s.part, impact: s.impact}
}

// Begin turns to the deepest decision that has something left.
func (s *dfs) Begin() bool {
	s.depth = 0
	s.fair.reset()
	s.order.reset()
	again := s.again || !s.begun
	s.begun, s.again = true, false
	switch {
	case s.diverged != "" || s.exceeded:
		return false
	case s.restart:
		s.restart, s.reduce = false, false
		s.path, s.size = s.path[:0], 0
		return true
	case again:
		return true
	}
	s.divide()
	for len(s.path) > 0 {
		n := s.path[len(s.path)-1]
		if n.number {
			for n.value++; n.value < n.n; n.value++ {
				if s.part.takes(n, n.value) {
					return s.part.enter(n, n.value)
				}
			}
		} else if i := s.pick(n); i >= 0 {
			if !s.part.takes(n, i) {
				n.done[i] = true
				continue
			}
			n.choose(i)
			return s.part.enter(n, i)
		}
		s.pop()
	}
	return false
}

// pop takes the last decision off the path.
func (s *dfs) pop() {
	last := len(s.path) - 1
	s.size -= len(s.path[last].enabled)
	s.path = s.path[:last]
}

func (n *node) choose(i int) {
	n.chosen = i
	n.done[i] = true
}

// Blocked implements [sched.Watcher].
func (s *dfs) Blocked(pending []sched.Pending) { s.order.blocked = pending }

// Next follows the path and, at its end, extends it.
func (s *dfs) Next(enabled []sched.Pending, current int, yielding bool) int {
	if s.diverged != "" {
		return -1
	}
	if s.size > roomy {
		s.exceeded = true
		return -1
	}
	s.fair.arrive(goroutines(enabled), yielding)
	repeats := s.depth < len(s.path)
	if repeats && !s.path[s.depth].matches(enabled) {
		return s.diverge()
	}
	if s.reduce {
		if s.weigh() {
			return -1
		}
		s.order.arrive(s.path[:s.depth], enabled, repeats)
	}
	if !repeats {
		n := s.extend(enabled, current, yielding)
		if s.restart {
			return -1
		}
		i := s.pick(n)
		if i < 0 {
			s.pop()
			if s.reduce {
				s.order.finish(s.path, enabled)
			}
			return -1
		}
		n.choose(i)
	}
	n := s.path[s.depth]
	s.depth++
	if enabled[n.chosen].G != sched.TheClock {
		s.fair.step(enabled[n.chosen])
	}
	if s.reduce {
		if s.order.last = s.depth - 1; s.depth == len(s.path) {
			s.order.partners(s.path)
		}
	}
	return n.chosen
}

// ChoosesClock implements [sched.ClockChooser].
func (s *dfs) ChoosesClock() {}

// goroutines leaves the clock out.
func goroutines(enabled []sched.Pending) []sched.Pending {
	if last := len(enabled) - 1; last >= 0 && enabled[last].G == sched.TheClock {
		return enabled[:last]
	}
	return enabled
}

// Choose follows the path and, at its end, tries every number.
func (s *dfs) Choose(n int) int {
	if s.depth == len(s.path) {
		at := s.push()
		at.number, at.n, at.value = true, n, 0
		at.enabled = at.enabled[:0]
	}
	at := s.path[s.depth]
	if !at.number || at.n != n {
		s.diverge()
		return 0
	}
	s.depth++
	return at.value
}

// End adds the orders that the end of the execution requires.
func (s *dfs) End(x *sched.Execution) {
	if s.again = x.Stopped; x.Abandoned {
		return
	}
	if s.depth < len(s.path) {
		s.diverge()
		return
	}
	if s.reduce {
		if cutShort(x) {
			s.order.cut(s.path)
		} else {
			s.order.arrive(s.path, nil, false)
			s.order.finish(s.path, nil)
		}
		s.weigh()
	}
}

// weigh gives the reduction up if it has cost too much.
func (s *dfs) weigh() (over bool) {
	if over = s.order.work > reducible; over {
		s.restart, s.exceeded = !s.strict, s.strict
	}
	return over
}

// cutShort reports whether goroutines could have gone on when x ended.
func cutShort(x *sched.Execution) bool {
	return x.Cut || x.Failure != nil && x.Failure.Kind != sched.Deadlock && x.Failure.Kind != sched.Blocked && x.Failure.Kind != sched.Unordered
}

func (s *dfs) diverge() int {
	if s.diverged == "" {
		s.diverged = fmt.Sprintf("the same choices led elsewhere at decision %d of %d", s.depth+1, len(s.path))
	}
	return -1
}

// push adds a node to the path, an old one if there is one.
func (s *dfs) push() *node {
	if len(s.path) < cap(s.path) {
		s.path = s.path[:len(s.path)+1]
		if n := s.path[len(s.path)-1]; n != nil {
			n.units = nil
			return n
		}
		s.path = s.path[:len(s.path)-1]
	}
	n := new(node)
	s.path = append(s.path, n)
	return n
}

// extend adds the decision of a state seen for the first time.
func (s *dfs) extend(enabled []sched.Pending, current int, yielding bool) *node {
	before := lastStep(s.path[:s.depth])
	n := s.push()
	n.number, n.yielding = false, yielding
	n.enabled = append(n.enabled[:0], enabled...)
	s.size += len(enabled)
	n.asleep = zeros(n.asleep, len(enabled))
	n.todo = zeros(n.todo, len(enabled))
	n.done = zeros(n.done, len(enabled))
	n.barred = zeros(n.barred, len(enabled))
	n.arrival = append(n.arrival[:0], make([]sched.Pending, len(enabled))...)
	n.current, n.preempted, n.early = -1, 0, 0
	if current >= 0 {
		n.current = sched.Index(enabled, current)
	}
	if before != nil {
		n.preempted = before.preempted + before.cost(before.chosen)
		n.early = before.early + before.haste(before.chosen)
	}
	for i, p := range goroutines(enabled) {
		if n.barred[i] = s.fair.barred(p.G, enabled); n.barred[i] {
			s.unfair = true
			s.restart = s.reduce
		}
	}
	if s.reduce {
		n.sleep(before)
		n.begin()
	}
	if s.impact != nil {
		s.prefer(n)
	}
	return n
}

// pick returns the next alternative of a decision, or -1. The goroutine that made
// the last step comes first, then by ID.
func (s *dfs) pick(n *node) int {
	if i := n.current; i >= 0 && s.open(n, i) {
		return i
	}
	for i := range n.enabled {
		if s.open(n, i) {
			return i
		}
	}
	return -1
}

func (s *dfs) open(n *node, i int) bool {
	switch {
	case n.done[i] || n.barred[i]:
		return false
	case s.impact != nil && !n.kept[i]:
		s.deferred = true
		return false
	case s.bound < 0 && n.early == maxEarly && n.haste(i) > 0 && (!s.reduce || n.todo[i] && !n.asleep[i]):
		s.limited = true
		return false
	case s.reduce:
		return n.todo[i] && !n.asleep[i]
	case s.bound >= 0 && n.preempted+n.cost(i) > s.bound:
		s.limited = true
		return false
	}
	return true
}

// maxEarly is how many timers expire early in an execution where there is no bound on
// preemptions: tickers and loops that sleep would go on for ever. Guessed: more than
// small tests have time-outs.
const maxEarly = 6

// cost is 1 if choosing i is a preemption. A switch away from a goroutine that
// asks to be passed over, or has to let others go first, is none. That a timer
// expires early is one.
func (n *node) cost(i int) int {
	if n.enabled[i].Early {
		return n.haste(i)
	}
	if c := n.current; c < 0 || c == i || n.yielding || n.barred[c] {
		return 0
	}
	return 1
}

// haste is 1 if choosing i has a timer expire before goroutines that could go on.
func (n *node) haste(i int) int {
	if !n.enabled[i].Early {
		return 0
	}
	if len(n.enabled) == 1 { // nobody could go on
		return 0
	}
	return 1
}

func (n *node) matches(enabled []sched.Pending) bool {
	if n.number || len(n.enabled) != len(enabled) {
		return false
	}
	for i := range enabled {
		if n.enabled[i] != enabled[i] {
			return false
		}
	}
	return true
}

func zeros(b []bool, n int) []bool {
	if cap(b) < n {
		return make([]bool, n, n+4)
	}
	b = b[:n]
	clear(b)
	return b
}
