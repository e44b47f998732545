package sched

import (
	"slices"

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
type stateful struct {
	explorer *causal.Explorer // for what breaks the search
	tracker  tracker
	aliases  map[uint64]uint64
	visited  map[uint64]*visit
	path     []*branching
	depth    int
	from     *visit // the state in which the last step was made
	by       uint64 // name of the goroutine that made it
	begun    bool
	again    bool // the last execution was stopped: repeat it
	lost     bool // the same choices led elsewhere
}

// A visit is what is known of a state.
type visit struct {
	enabled uint64 // hash of what is enabled
	ways    []way  // steps that were made in it and touched memory
}

// A way is what a step out of a state touched.
type way struct {
	by      uint64 // name of the goroutine
	touches []causal.Touch
}

// A branching is a decision on the path.
type branching struct {
	at       *visit // nil: a number is chosen
	value, n int
	enabled  []Pending
	todo     []bool
	chosen   int
	current  int
}

const (
	// manyStates bounds the memory that states take: some 200 MB. Guessed.
	manyStates = 1 << 20
	// longPath bounds executions: a loop that polls has ever new states. Guessed.
	longPath = 2000
)

func newStateful() *stateful {
	return &stateful{explorer: causal.NewExplorer(), aliases: map[uint64]uint64{}, visited: map[uint64]*visit{}}
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

func (s *stateful) track(x *execution) *tracker {
	s.tracker.x = x
	return &s.tracker
}

// Begin implements [Strategy].
func (s *stateful) Begin() bool {
	s.depth, s.from = 0, nil
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

func (b *branching) choose(i int) { b.chosen, b.todo[i] = i, false }

// Next implements [Strategy].
func (s *stateful) Next(enabled []Pending, current int, _ bool) int {
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
	if b.at == nil || !slices.EqualFunc(b.enabled, enabled, func(p, q Pending) bool { return p.G == q.G && p.Kind == q.Kind && p.Obj == q.Obj }) {
		s.explorer.Break("executions differ by more than the schedule")
		return -1
	}
	s.depth++
	s.from, s.by = b.at, s.tracker.name(enabled[b.chosen].G)
	s.tracker.chosen = true
	return b.chosen
}

// stepped notes what the last step touched.
func (s *stateful) stepped() {
	if s.from == nil {
		return
	}
	for _, w := range s.from.ways {
		if w.by == s.by {
			return
		}
	}
	if touches := s.touches(); len(touches) > 0 {
		s.from.ways = append(s.from.ways, way{s.by, touches})
	}
}

// touches lists what the last step touched, with names for addresses.
func (s *stateful) touches() (all []causal.Touch) {
	t := &s.tracker
	if s.from == nil || len(t.t.Steps) == 0 {
		return nil
	}
	for _, p := range t.t.Steps[len(t.t.Steps)-1].Parts {
		for _, touch := range p.Touches {
			touch.Word = uintptr(t.book.words[touch.Word])
			all = append(all, touch)
		}
	}
	return all
}

// branch returns what is to be tried in the state that a path has led to; nil: nothing.
func (s *stateful) branch(enabled []Pending, current int) *branching {
	t := &s.tracker
	what := uint64(0)
	for _, p := range enabled {
		what += causal.Mix(causal.Mix(t.name(p.G), uint64(p.Kind)), uint64(p.Options))
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
	b := &branching{at: at, enabled: slices.Clone(enabled), todo: make([]bool, len(enabled)), chosen: -1}
	for i, p := range enabled {
		b.todo[i] = !known || s.races(at, t.name(p.G))
	}
	first := slices.Index(b.todo, true)
	if i := index(enabled, current); i >= 0 && b.todo[i] {
		first = i
	}
	if first < 0 {
		return nil
	}
	b.choose(first)
	return b
}

// races reports whether a step of some goroutine out of a known state could race with the
// one that has led to it.
func (s *stateful) races(at *visit, by uint64) bool {
	if s.by == by {
		return false
	}
	for _, w := range at.ways {
		if w.by != by {
			continue
		}
		for _, x := range s.touches() {
			for _, y := range w.touches {
				if x.Races(y) {
					return true
				}
			}
		}
	}
	return false
}

// Choose implements [Strategy].
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

// End implements [Strategy].
func (s *stateful) End(x *Execution) {
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
	if s.depth == len(s.path) && !x.Abandoned {
		s.stepped()
	}
}
