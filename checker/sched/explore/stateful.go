package explore

import (
	"slices"

	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// stateful makes each step that is enabled in each state that can be reached once. That is
// stateful search (Clarke, Emerson and Sistla, TOPLAS 1986; Holzmann, "The Model Checker
// SPIN", 1997) without a copy of the state: an execution is made along a path to a state in
// which something is left to try, and ends where it comes to one that is known. Book says
// what a state is. No goroutine can come back to a state, since its history grows, but
// for what it forgets, which ends with something added. So whatever can be reached from a
// known state has been explored when an execution comes to it.
//
// A failure of a step depends on the state before it only, but for a data race: that one
// depends on how accesses before the state are ordered. Of an execution with a first race
// let the steps between the two accesses that the first does not happen before come before
// it, and leave out the others: then the two are in steps of which one follows directly on
// the other. So for each way into a known state the accesses of the last step are compared
// with those of the steps out of it; where two could race, the execution goes on with the
// second, and the race detector decides.
//
// Where a goroutine is about to begin, to start another one, or to unlock a mutex that it
// has locked, no other is tried first (a persistent set of one: Godefroid, "Partial-Order
// Methods for the Verification of Concurrent Systems", 1996): what others can do until then
// depends on none of these, if nobody only tries to take a lock, or unlocks what another
// one has locked. Nor is such a step part of a race if it touches no memory; if it does,
// the others are tried all the same. For races these steps count with the one before.
// File eager.go adds steps at wait groups.
type stateful struct {
	explorer *causal.Explorer // for what breaks the search
	tracker
	aliases map[uint64]uint64
	visited map[uint64]*visit
	path    []*branching
	depth   int
	used    map[uintptr]uint8 // by name of a word
	mixed   bool              // a word is used plainly that harmless took for none
	patient bool              // no step is taken before others, see above
	begun   bool
	again   bool // the last execution was stopped: repeat it
}

// A visit is what is known of a state.
type visit struct {
	enabled uint64 // hash of what is enabled
	ways    []way  // steps that were made in it and touched memory
	eager   bool   // only one was tried
	next    *visit // with eager: where it leads to
}

// A way is what a step out of a state touched.
type way struct {
	by      uint64 // name of the goroutine
	touches []causal.Touch
}

// A branching is a decision on the path.
type branching struct {
	at       *visit // nil: a number is chosen
	key      uint64 // of the state
	value, n int
	enabled  []sched.Pending
	todo     []bool
	chosen   int
	stepped  bool // what the last choice touches is known
	looks    bool // it is one that looks whether a counter is zero
}

const (
	// manyStates bounds the memory that states take: some 200 MB. Guessed.
	manyStates = 1 << 20
	// longPath bounds executions: a loop that polls has ever new states. Guessed.
	longPath = 2000
)

func newStateful() *stateful {
	return &stateful{explorer: causal.NewExplorer(), aliases: map[uint64]uint64{}, visited: map[uint64]*visit{}, used: map[uintptr]uint8{}}
}

// states is the strategy of that name.
func (e *explorer) states() {
	if s := newStateful(); !e.visit(s, e.until(1)) {
		e.uncovered = s.explorer.Broken()
	}
}

// visit explores all states. It returns true if that could be done.
func (e *explorer) visit(s *stateful, l limit) bool {
	if e.stage("states", s, l) && s.explorer.Broken() == "" {
		e.exhausted = true
		e.report.Bound, e.report.Fair = -1, false
		return true
	}
	return false
}

// visitStates is the attempt of auto. As [explorer.coverBriefly] it does not believe that
// time passes, and does not go behind failures. It goes on only if most of the first
// executions come to known states.
func (e *explorer) visitStates(brief, l limit) bool {
	if e.All || len(e.Run.Races) > 0 || e.timed || len(e.report.Environment) > 0 || len(e.report.Failures) > 0 {
		return false
	}
	e.believing = true
	defer func() { e.believing = false }()
	s := newStateful()
	made, ended := e.made(), e.report.Executions
	if e.visit(s, brief) {
		return true
	}
	made, ended = e.made()-made, e.report.Executions-ended
	return s.explorer.Broken() == "" && made > fewMerged*ended && e.visit(s, l)
}

// fewMerged is how many executions of states have to be made for each that comes to no
// known state, so that the search is worth while. Guessed.
const fewMerged = 5

// Recall implements [sched.Forgetter].
func (s *stateful) Recall(g int) (history uint64, ok bool) {
	if !s.doing(g) {
		return 0, false
	}
	return s.gs[g].history, true
}

// Forget implements [sched.Forgetter].
func (s *stateful) Forget(g int, history uint64) {
	if s.doing(g) {
		s.forget(g, history)
	}
}

// Begin implements [sched.Strategy].
func (s *stateful) Begin() bool {
	s.depth = 0
	if b := s.tracker.book; b != nil && !s.patient && (b.odd || s.mixed) { // begin anew
		again := newStateful()
		again.explorer, again.aliases, again.patient = s.explorer, s.aliases, true
		*s = *again
	}
	s.tracker = tracker{explorer: s.explorer, book: newBook(s.aliases)}
	switch {
	case s.explorer.Broken() != "":
		return false
	case s.again || !s.begun:
		s.again, s.begun = false, true
		return true
	}
	for len(s.path) > 0 {
		b := s.path[len(s.path)-1]
		if b.at == nil {
			if b.value++; b.value < b.n {
				return true
			}
		} else if i := slices.Index(b.todo, true); i >= 0 {
			b.choose(i)
			return true
		}
		s.path = s.path[:len(s.path)-1]
	}
	return false
}

func (b *branching) choose(i int) { b.chosen, b.todo[i], b.stepped = i, false, false }

// Next implements [sched.Strategy].
func (s *stateful) Next(enabled []sched.Pending, current int, _ bool) int {
	if s.explorer.Broken() != "" {
		return -1
	}
	s.stepped()
	if s.depth == len(s.path) {
		b := s.branch(enabled, current)
		if b == nil {
			return -1
		}
		s.path = append(s.path, b)
	}
	b := s.path[s.depth]
	if b.at == nil || b.key != s.tracker.state() || len(b.enabled) != len(enabled) {
		s.explorer.Break("executions differ by more than the schedule")
		return -1
	}
	s.depth++
	s.tracker.chosen = true
	return b.chosen
}

// stepped notes what the last step touched, the first time that it was made.
func (s *stateful) stepped() {
	b := s.last()
	if b == nil || b.stepped {
		return
	}
	b.stepped = true
	t := &s.tracker
	touches := t.touchesOf(len(t.t.Steps) - 1)
	for _, touch := range touches {
		s.use(touch.Word, useOf(touch))
	}
	if len(touches) == 0 {
		return
	}
	by := t.name(b.enabled[b.chosen].G)
	if !slices.ContainsFunc(b.at.ways, func(w way) bool { return w.by == by }) {
		b.at.ways = append(b.at.ways, way{by, touches})
	}
	if b.at.eager && !b.looks && !s.harmless(touches) {
		b.at.eager = false
		for i := range b.todo {
			b.todo[i] = i != b.chosen
		}
	}
}

// Uses of a word, by all goroutines in all executions.
const (
	plainly uint8 = 1 << iota
	atomically
	atomicallyFirst // atomically, in a step that was taken before others
)

func useOf(t causal.Touch) uint8 {
	if t.Atomic {
		return atomically
	}
	return plainly
}

// harmless reports whether touches are no part of a race: they are atomic, as those of the
// next lock, and nobody uses the memory otherwise.
func (s *stateful) harmless(touches []causal.Touch) bool {
	for _, t := range touches {
		if !t.Atomic {
			return false
		}
	}
	for _, t := range touches {
		s.use(t.Word, atomicallyFirst)
	}
	return true
}

// use notes a use of a word.
func (s *stateful) use(word uintptr, u uint8) {
	u |= s.used[word]
	s.used[word] = u
	s.mixed = s.mixed || u&plainly != 0 && u&atomicallyFirst != 0
}

// last is the last decision for a goroutine on the path that was followed, nil if there is
// none.
func (s *stateful) last() *branching {
	for d := s.depth - 1; d >= 0; d-- {
		if s.path[d].at != nil {
			return s.path[d]
		}
	}
	return nil
}

// touchesOf lists what a step touched, with names for addresses.
func (t *tracker) touchesOf(step int) (all []causal.Touch) {
	for _, p := range t.t.Steps[step].Parts {
		for _, touch := range p.Touches {
			touch.Word = uintptr(t.book.words[touch.Word])
			all = append(all, touch)
		}
	}
	return all
}

// recent are the last step on the path and, as long as the step after it was taken before
// others, those before it.
func (s *stateful) recent() (all []way) {
	t := &s.tracker
	step := len(t.t.Steps) - 1
	for d := s.depth - 1; d >= 0; d-- {
		b := s.path[d]
		if b.at == nil {
			continue
		}
		all = append(all, way{t.name(b.enabled[b.chosen].G), t.touchesOf(step)})
		if step--; !b.at.eager {
			break
		}
	}
	return all
}

// branch returns what is to be tried in the state that a path has led to; nil: nothing.
func (s *stateful) branch(enabled []sched.Pending, current int) *branching {
	t := &s.tracker
	what := uint64(0)
	for _, p := range enabled {
		what += causal.Mix(causal.Mix(t.name(p.G), t.gs[p.G].op.Label), uint64(p.Options))
	}
	key := t.state()
	at, known := s.visited[key]
	switch {
	case len(s.visited) > manyStates:
		s.explorer.Break("there are too many states")
	case s.depth > longPath:
		s.explorer.Break("executions are too long for all states to be told apart")
	case !known:
		at = &visit{enabled: what}
		s.visited[key] = at
	case at.enabled != what:
		s.explorer.Break("what goroutines do depends on more than what is followed")
	}
	if s.explorer.Broken() != "" {
		return nil
	}
	if before := s.last(); before != nil && before.at.eager {
		before.at.next = at
	}
	b := &branching{at: at, key: key, enabled: slices.Clone(enabled), todo: make([]bool, len(enabled)), chosen: -1}
	if known {
		s.racing(b)
	} else if i := s.eagerly(enabled); i >= 0 {
		at.eager = true
		b.todo[i] = true
	} else {
		for i := range b.todo {
			b.todo[i] = true
		}
	}
	first := slices.Index(b.todo, true)
	if i := sched.Index(enabled, current); i >= 0 && b.todo[i] {
		first = i
	}
	if first < 0 {
		return nil
	}
	b.choose(first)
	b.looks = at.eager && t.looks(enabled[first].G)
	return b
}

// racing has those steps be made out of a known state that could race with one of the last
// on the path.
func (s *stateful) racing(b *branching) {
	to := b.at
	for to.eager && to.next != nil {
		to = to.next
	}
	recent := s.recent()
	for _, w := range to.ways {
		if !slices.ContainsFunc(recent, func(r way) bool { return r.races(w) }) {
			continue
		}
		for i, p := range b.enabled {
			by := s.tracker.name(p.G)
			b.todo[i] = b.todo[i] || by == w.by && !b.at.eager
		}
		if b.at.eager {
			b.todo[s.eagerly(b.enabled)] = true // on the way to it
		}
	}
}

func (w way) races(v way) bool {
	for _, x := range w.touches {
		for _, y := range v.touches {
			if w.by != v.by && x.Races(y) {
				return true
			}
		}
	}
	return false
}

// Choose implements [sched.Strategy].
func (s *stateful) Choose(n int) int {
	if s.depth == len(s.path) {
		s.path = append(s.path, &branching{n: n})
	}
	b := s.path[s.depth]
	if b.at != nil || b.n != n {
		s.explorer.Break("executions differ by more than the schedule")
		return 0
	}
	s.depth++
	if t := &s.tracker; t.cases == nil && t.partners == nil {
		t.number(b.value, n)
	}
	return b.value
}

// End implements [sched.Strategy].
func (s *stateful) End(x *sched.Execution) {
	if s.again = x.Stopped; s.again {
		return
	}
	switch {
	case x.Timed || x.Unannounced:
		s.explorer.Break("the program uses time")
	case x.Cut:
		s.explorer.Break("goroutines went on without end")
	case s.depth < len(s.path):
		s.explorer.Break("executions differ by more than the schedule")
	}
	if !x.Abandoned && s.explorer.Broken() == "" {
		s.stepped()
	}
}
