package sched

import "slices"

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
	room   int  // number of Pending in all forks
	closed bool // nothing is to be known from it
}

// NewTree returns a tree without executions. With timed they may set timers; then either
// all strategies are dfs or none is, since it chooses otherwise when timers expire.
func NewTree(timed bool) *Tree { return &Tree{timed: timed} }

// spacious bounds what a tree keeps: some 20 MB. Guessed.
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
	enabled  []Pending // whoGoesOn
	current  int
	yielding bool
	n        int // whichNumber, whichTimer
	idle     bool
	to       []*fork    // by answer, see next
	end      *Execution // theEnd
}

// put asks the strategy; ok is false if that is not a question to it.
func (b *fork) put(s Strategy) (answer int, ok bool) {
	switch b.asked {
	case whoGoesOn:
		return s.Next(b.enabled, b.current, b.yielding), true
	case whichNumber:
		return s.Choose(b.n), true
	case whichTimer:
		if k, ok := s.(Timekeeper); ok {
			return k.Expire(b.n, b.idle), true
		}
	}
	return 0, false
}

// equals reports whether two forks ask the same.
func (b *fork) equals(c *fork) bool {
	return b.asked == c.asked && b.n == c.n && b.idle == c.idle && b.yielding == c.yielding &&
		(b.asked != whoGoesOn || b.current == c.current) && slices.Equal(b.enabled, c.enabled)
}

// next is where an answer leads to.
func (b *fork) next(answer int) **fork {
	i := answer + 1 // -1: no timer, or the execution is abandoned
	for len(b.to) <= i {
		b.to = append(b.to, nil)
	}
	return &b.to[i]
}

// Lead leads a strategy that has begun an execution. If it comes to the end of a known
// one, that is the result. Else the execution has to be made with the strategy rest instead,
// which goes on where s was led to. [Tree.Note] is told of it. Both ways s is to End.
func (t *Tree) Lead(s Strategy) (known *Execution, rest Strategy) {
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
func (t *Tree) Note(rest Strategy, x *Execution) bool {
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
	s       Strategy
	tree    *Tree
	answers []int // of the beginning
	given   int   // answers so far
	at      *fork // where the execution is; nil: it is not noted any more
	answer  int   // the last one
	differs bool
}

// lead leads the strategy, to the end of a known execution or as far as it goes.
func (l *led) lead() *Execution {
	for b := &l.tree.root; b != nil; {
		if b.asked == theEnd {
			return b.end
		}
		a, ok := b.put(l.s)
		if !ok {
			return nil
		}
		l.answers = append(l.answers, a)
		b = *b.next(a)
	}
	return nil
}

// decide answers as the strategy did when it was led, or asks it.
func (l *led) decide(q fork, ask func() int) int {
	l.meet(q)
	if l.given < len(l.answers) {
		l.answer = l.answers[l.given]
	} else {
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
	b := l.at
	if l.given > 0 {
		to := b.next(l.answer)
		if *to == nil {
			if l.tree.room += len(q.enabled) + 1; l.tree.room > spacious {
				l.at = nil
				return
			}
			*to = &fork{}
		}
		b = *to
	}
	l.at = b
	switch {
	case b.asked == noQuestion:
		q.enabled = slices.Clone(q.enabled)
		*b = q
	case !b.equals(&q):
		l.differs = true
	}
}

// Begin implements [Strategy]: the strategy has begun.
func (l *led) Begin() bool { return true }

// Next implements [Strategy].
func (l *led) Next(enabled []Pending, current int, yielding bool) int {
	q := fork{asked: whoGoesOn, enabled: enabled, current: current, yielding: yielding}
	return l.decide(q, func() int { return l.s.Next(enabled, current, yielding) })
}

// Choose implements [Strategy].
func (l *led) Choose(n int) int {
	return l.decide(fork{asked: whichNumber, n: n}, func() int { return l.s.Choose(n) })
}

// End implements [Strategy]: whoever has led it ends it.
func (l *led) End(*Execution) {}

// A ledSampler is led and keeps time.
type ledSampler struct{ led }

// Expire implements [Timekeeper].
func (l *ledSampler) Expire(n int, idle bool) int {
	return l.decide(fork{asked: whichTimer, n: n, idle: idle}, func() int { return l.s.(Timekeeper).Expire(n, idle) })
}

// A ledSearch is a dfs that is led.
type ledSearch struct{ led }

// Blocked implements [Watcher].
func (l *ledSearch) Blocked(pending []Pending) { l.s.(*dfs).Blocked(pending) }

// choosesClock implements [clockChooser].
func (l *ledSearch) choosesClock() {}
