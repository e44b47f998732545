package explore

import (
	"mendel/checker/sched"
	"mendel/checker/sched/causal"
)

// mcm explores one execution of each maximal causal class: Luo, Runtime Verification of
// concurrent programs, section 4.2, after Huang, Luo and Roşu, "RV-Causal" (2015). It
// records what each goroutine sees (tracker), and package causal plans executions in
// which one sees something else. A plan is followed; then each goroutine goes on as
// long as it can.
type mcm struct {
	explorer *causal.Explorer
	tracker
	fair    fairness
	plan    causal.Plan
	at      int // in plan
	numbers int // of the move, chosen so far
	begun   bool
	again   bool // the last execution was stopped: repeat it
	most    int  // steps of the executions that are analysed; 0: no bound of its own
	between bool // the last step was not the plan's, which waits: see causal.Move.Wait
	lost    bool // a goroutine of the plan could not go on
}

func newMCM() *mcm { return &mcm{explorer: causal.NewExplorer()} }

// Begin implements [sched.Strategy].
func (s *mcm) Begin() bool {
	s.at, s.numbers = 0, 0
	s.fair.reset()
	switch {
	case s.again:
		s.again = false
	case s.begun:
		p, ok := s.explorer.Next()
		if !ok {
			return false
		}
		s.plan = p
	}
	s.begun = true
	s.tracker = tracker{explorer: s.explorer}
	return true
}

// Blocked implements [sched.Watcher].
func (s *mcm) Blocked(pending []sched.Pending) { s.tracker.waits(pending) }

// Next implements [sched.Strategy].
func (s *mcm) Next(enabled []sched.Pending, current int, yielding bool) int {
	s.tracker.waits(enabled)
	s.fair.arrive(enabled, yielding)
	i := s.planned(enabled)
	if i < 0 {
		i = s.free(enabled, current, yielding)
		if !s.between {
			s.at = len(s.plan) + 1
		}
	}
	s.fair.step(enabled[i])
	s.tracker.chosen = true
	return i
}

// planned returns the goroutine of the plan, -1 if the plan has ended.
func (s *mcm) planned(enabled []sched.Pending) int {
	s.between = false
	if s.at >= len(s.plan) {
		return -1
	}
	next := &s.plan[s.at]
	for i, p := range enabled {
		if s.tracker.name(p.G) == next.G {
			s.at++
			s.numbers = 0
			return i
		}
	}
	if s.between = next.Wait; s.between {
		return -1
	}
	if s.at+1 < len(s.plan) { // the last step may have to wait: the plan was to try it
		s.explorer.Break("a goroutine had to wait where it was foreseen to go on")
	}
	s.lost = true
	return -1
}

// free returns the goroutine that goes on where there is no plan.
func (s *mcm) free(enabled []sched.Pending, current int, yielding bool) int {
	if i := sched.Index(enabled, current); i >= 0 && !yielding && !s.fair.barred(current, enabled) {
		return i
	}
	first := -1
	for i, p := range enabled {
		if !s.fair.barred(p.G, enabled) && (first < 0 || enabled[first].G == current) {
			first = i
		}
	}
	return max(first, 0)
}

// move is the step of the plan that is being made, nil if there is none.
func (s *mcm) move() *causal.Move {
	if s.at == 0 || s.at > len(s.plan) || s.between {
		return nil
	}
	return &s.plan[s.at-1]
}

// Choose implements [sched.Strategy].
func (s *mcm) Choose(n int) int {
	t := &s.tracker
	m := s.move()
	switch {
	case t.cases != nil:
		return choiceOf(t.cases, func(i int) bool { return m != nil && i == m.Case })
	case t.partners != nil:
		return choiceOf(t.partners, func(q sched.Offer) bool {
			return m != nil && t.name(q.Goroutine()) == m.Partner && q.Index() == m.PartnerCase
		})
	}
	v := 0
	if m != nil && s.numbers < len(m.Numbers) {
		v = m.Numbers[s.numbers]
		s.numbers++
	}
	if v >= n {
		s.explorer.Break("there was less to choose from than foreseen")
		v = 0
	}
	t.number(v, n)
	return v
}

// choiceOf returns the index of the first that is wanted, else 0.
func choiceOf[T any](all []T, wanted func(T) bool) int {
	for i, v := range all {
		if wanted(v) {
			return i
		}
	}
	return 0
}

// End implements [sched.Strategy].
func (s *mcm) End(x *sched.Execution) {
	if s.again = x.Stopped; x.Stopped {
		return
	}
	if x.Timed || x.Unannounced {
		s.explorer.Break("the program uses time")
	}
	t := s.tracker.trace()
	s.explorer.Add(t)
	if s.most > 0 && len(t.Steps) > s.most {
		s.explorer.Break("executions are too long to be analysed")
	}
	switch f := x.Failure; {
	case x.Cut:
		s.explorer.Break("goroutines went on without end")
	case f != nil && f.Kind != sched.Deadlock && f.Kind != sched.Blocked:
		s.explorer.Fail()
	}
}
