package explore

import (
	"slices"

	"mendel/checker/sched"
)

// A Tree has executions of one program by what their strategies were asked, so that an
// execution that a strategy would make again need not be made: the strategy is led along
// what is known, as CORE-IMC (Kelk 2015, section 4.3) does not come again to states that
// it has seen. All executions begin in the same state and have the same Options, but for
// Stop.
//
// A strategy that has begun learns nothing of an execution but what it is asked. If it
// answers like that of a known execution, it is asked the same next, since the same choices
// give the same execution. So it comes to the same end; or to an answer that nobody has
// given there, and the execution has to be made from its beginning.
//
// Led are the strategies random, pct and pos, and dfs with a bound. With the reduction dfs
// also wants to know what is blocked, which is not kept; its executions are only noted.
type Tree struct {
	root   fork
	timed  bool
	room   int  // of all forks
	closed bool // nothing is to be known from it
}

// NewTree returns a tree without executions. With timed they may set timers; then either
// all strategies are dfs or none is, since it chooses otherwise when timers expire.
func NewTree(timed bool) *Tree { return &Tree{timed: timed} }

// spacious bounds the room of a tree, counted in operations: some 20 MB. Guessed.
const spacious = 1 << 18

// A question is what a strategy is asked.
type question uint8

const (
	noQuestion question = iota // not known
	whoGoesOn
	whichNumber
	whichTimer
	theEnd // of the execution
)

// A fork is where a strategy is asked something, or an execution has ended.
type fork struct {
	asked    question
	enabled  []sched.Pending // whoGoesOn
	current  int
	yielding bool
	n        int // whichNumber, whichTimer
	idle     bool
	to       []turn
	end      *sched.Execution // theEnd
}

// A turn is where an answer leads to. There may be very many numbers to choose from, of
// which few were.
type turn struct {
	answer int
	to     *fork
}

// put asks the strategy; ok is false if that is not a question to it.
func (f *fork) put(s sched.Strategy) (answer int, ok bool) {
	switch f.asked {
	case whoGoesOn:
		return s.Next(f.enabled, f.current, f.yielding), true
	case whichNumber:
		return s.Choose(f.n), true
	case whichTimer:
		if k, ok := s.(sched.Timekeeper); ok {
			return k.Expire(f.n, f.idle), true
		}
	}
	return 0, false
}

// equals reports whether two forks ask the same.
func (f *fork) equals(g *fork) bool {
	return f.asked == g.asked && f.n == g.n && f.idle == g.idle && f.yielding == g.yielding &&
		(f.asked != whoGoesOn || f.current == g.current) && slices.Equal(f.enabled, g.enabled)
}

// room is what a fork takes: a choice of an execution is a quarter of an operation.
func (f *fork) room() int {
	if f.end != nil {
		return 1 + len(f.end.Choices)/4
	}
	return 1 + len(f.enabled)
}

// next is where an answer leads to; nil: it is not known.
func (f *fork) next(answer int) *fork {
	for _, w := range f.to {
		if w.answer == answer {
			return w.to
		}
	}
	return nil
}

// Lead leads a strategy that has begun an execution. If it comes to the end of a known
// one, that is the result. Else the execution has to be made with the strategy rest instead,
// which goes on where s was led to. [Tree.Note] is told of it. Both ways s is to End.
func (t *Tree) Lead(s sched.Strategy) (known *sched.Execution, rest sched.Strategy) {
	d, depthFirst := s.(*dfs)
	_, samples := s.(Numbered)
	if t.closed || !depthFirst && !samples {
		return nil, s
	}
	l := led{s: s, tree: t}
	if samples || !d.reduce {
		if known = l.lead(); known != nil {
			return known, nil
		}
	}
	l.at = &t.root
	if samples {
		return nil, &ledSampler{led: l}
	}
	return nil, &ledSearch{led: l}
}

// Note adds the end of an execution that was made with rest, a strategy from Lead. It is
// false if the execution was not what the tree has of it: there is more to it than the
// schedule, and what was known from the tree is worth nothing.
func (t *Tree) Note(rest sched.Strategy, x *sched.Execution) bool {
	var l *led
	switch s := rest.(type) {
	case *ledSampler:
		l = &s.led
	case *ledSearch:
		l = &s.led
	default:
		return true
	}
	switch {
	case l.differs, x.UncontrolledCall != "", len(x.Environment) > 0, x.Timed && !t.timed:
		t.closed = true
	case !x.Stopped && !x.Abandoned:
		l.meet(fork{asked: theEnd, end: x})
	}
	return !l.differs
}

// A led strategy begins as it was led, and notes how the execution goes on.
type led struct {
	s       sched.Strategy
	tree    *Tree
	answers []int // of the beginning
	given   int   // answers so far
	at      *fork // where the execution is; nil: it is not noted any more
	answer  int   // the last one
	differs bool
}

// lead leads the strategy, to the end of a known execution or as far as it goes.
func (l *led) lead() *sched.Execution {
	for f := &l.tree.root; f != nil; {
		if f.asked == theEnd {
			return f.end
		}
		a, ok := f.put(l.s)
		if !ok {
			return nil
		}
		l.answers = append(l.answers, a)
		f = f.next(a)
	}
	return nil
}

// decide answers as the strategy did when it was led, or asks it. Where the execution
// differs from what is known, answers to other questions are none: it only has to end.
func (l *led) decide(q fork, ask func() int) int {
	l.meet(q)
	switch {
	case l.differs:
		l.answer = 0
	case l.given < len(l.answers):
		l.answer = l.answers[l.given]
	default:
		l.answer = ask()
	}
	l.given++
	return l.answer
}

// meet goes on to where the last answer leads to.
func (l *led) meet(q fork) {
	if l.at == nil || l.differs {
		return
	}
	f := l.at
	if l.given > 0 {
		to := f.next(l.answer)
		if to == nil {
			if l.tree.room += q.room(); l.tree.room > spacious {
				l.at = nil
				return
			}
			to = &fork{}
			f.to = append(f.to, turn{l.answer, to})
		}
		f = to
	}
	l.at = f
	switch {
	case f.asked == noQuestion:
		q.enabled = slices.Clone(q.enabled)
		*f = q
	case !f.equals(&q):
		l.differs = true
	}
}

// Begin implements [sched.Strategy]: the strategy has begun.
func (l *led) Begin() bool { return true }

// Next implements [sched.Strategy].
func (l *led) Next(enabled []sched.Pending, current int, yielding bool) int {
	q := fork{asked: whoGoesOn, enabled: enabled, current: current, yielding: yielding}
	return l.decide(q, func() int { return l.s.Next(enabled, current, yielding) })
}

// Choose implements [sched.Strategy].
func (l *led) Choose(n int) int {
	return l.decide(fork{asked: whichNumber, n: n}, func() int { return l.s.Choose(n) })
}

// End implements [sched.Strategy]: whoever has led it ends it.
func (l *led) End(*sched.Execution) {}

// A ledSampler is led and keeps time.
type ledSampler struct{ led }

// Expire implements [sched.Timekeeper].
func (l *ledSampler) Expire(n int, idle bool) int {
	return l.decide(fork{asked: whichTimer, n: n, idle: idle}, func() int { return l.s.(sched.Timekeeper).Expire(n, idle) })
}

// A ledSearch is a dfs that is led.
type ledSearch struct{ led }

// Blocked implements [sched.Watcher].
func (l *ledSearch) Blocked(pending []sched.Pending) { l.s.(*dfs).Blocked(pending) }

// ChoosesClock implements [sched.ClockChooser].
func (l *ledSearch) ChoosesClock() {}
