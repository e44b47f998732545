package explore

import "mendel/checker/sched"

// A bounded search can be divided among processes. Each makes the first execution of dfs,
// in which nothing is tried otherwise. Every other execution leaves that one first at some
// decision by some alternative: those that do it alike are a unit. Units are numbered in
// the order in which one process explores them, from 1. What all processes have explored
// together is what one would have explored.

// A Part is the share that a search explores: of each bound's units those that Claim gives
// it or, if that is nil, those whose number divided by Of leaves Index. Zero: all.
type Part struct {
	Index, Of int
	// Claim returns the next unit of a bound that no part has: 1, 2, 3 and so on, each to one
	// part. Units differ in size, so the parts end together. 0: that cannot be told, and the
	// parts do not make a whole.
	Claim func(bound int) int
	// Enough, if not nil, is asked before each unit whether an earlier one has failed, so
	// that the rest is not needed.
	Enough func(bound, unit int) bool
}

// A BoundPart says what was explored of a part with one bound on preemptions.
type BoundPart struct {
	Bound     int
	Done      bool   // nothing of the part is left
	Limited   bool   // the bound left something out
	Fair      bool   // as in Report
	Spine     uint64 // hash of the first execution and its alternatives
	Made      []int  // by unit: executions, abandoned ones included; 0 is the first one alone
	Ended     []int  // by unit: of them, those that were made to their end
	Undivided bool   // executions turned out to differ in kind from the first: the parts do not make a whole
	Failed    int    // unit of the failure that ended the search, if there is one
	Nth       int    // of it: the execution of the unit, from 1; 0: nothing failed
}

// A partition is a part of the search of one dfs.
type partition struct {
	Part
	bound   int
	divided bool
	spine   uint64
	made    []int
	ended   []int
	now     int  // unit that is explored
	claimed int  // the last unit that Claim gave
	alien   bool // see BoundPart.Undivided
	enough  bool // it ended because the rest is not needed
	failed  int  // see BoundPart
	nth     int
}

func (p Part) of(bound int) *partition {
	if p.Of < 2 {
		return nil
	}
	return &partition{Part: p, bound: bound, made: []int{0}, ended: []int{0}}
}

// divide numbers the alternatives of the first execution.
func (s *dfs) divide() {
	p := s.part
	if p == nil || p.divided {
		return
	}
	p.divided = true
	for at := len(s.path) - 1; at >= 0; at-- {
		n := s.path[at]
		size := len(n.enabled)
		if n.number {
			size = n.n
		}
		n.units = make([]int, size)
		for i := range size {
			if n.number && i == n.value || !n.number && !s.open(n, i) {
				continue
			}
			n.units[i] = len(p.made)
			p.made, p.ended = append(p.made, 0), append(p.ended, 0)
		}
		p.spine = p.spine*1099511628211 ^ uint64(size)<<32 ^ uint64(len(p.made))<<1
		if !n.number {
			p.spine ^= uint64(n.enabled[n.chosen].G) << 48
		}
	}
}

// enter notes that the search turns to alternative i of a decision. It is false if that
// need not be explored, since the search is over.
func (p *partition) enter(n *node, i int) bool {
	if p == nil || n.units == nil {
		return true
	}
	p.now = n.units[i]
	p.enough = p.Enough != nil && p.Enough(p.bound, p.now)
	return !p.enough
}

// takes reports whether an alternative of a decision belongs to the part. It is asked in the
// order of units.
func (p *partition) takes(n *node, i int) bool {
	if p == nil || n.units == nil {
		return true
	}
	unit := n.units[i]
	if p.Claim == nil {
		return unit%p.Of == p.Index
	}
	for p.claimed < unit && !p.alien {
		p.claimed = p.Claim(p.bound)
		p.alien = p.claimed == 0
	}
	return p.claimed == unit
}

// count adds an execution.
func (p *partition) count(x *sched.Execution) {
	if p == nil || x.Stopped {
		return
	}
	p.made[p.now]++
	if !x.Abandoned {
		p.ended[p.now]++
	}
}

// told is what is reported.
func (p *partition) told(s *dfs, done bool) BoundPart {
	return BoundPart{
		Bound: p.bound, Done: done && !p.enough, Undivided: p.alien, Limited: s.limited, Fair: s.unfair, Spine: p.spine,
		Made: p.made, Ended: p.ended, Failed: p.failed, Nth: p.nth,
	}
}

// deepenPart is deepen for a part. It goes on to the last bound even where a smaller one
// leaves nothing of the part out: it may leave something of another one out.
func (e *explorer) deepenPart(bound int) {
	for k := 0; k <= bound; k++ {
		s := newDFS(k, false)
		s.part = e.Part.of(k)
		e.part = s.part
		failures := len(e.report.Failures)
		done := e.stage("dfs", s, e.until(1))
		if len(e.report.Failures) > failures {
			s.part.failed, s.part.nth = s.part.now, s.part.made[s.part.now]
		}
		told := s.part.told(s, done)
		e.report.Parts = append(e.report.Parts, told)
		if !told.Done || !e.claim(s) {
			return
		}
	}
}
