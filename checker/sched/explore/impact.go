package explore

import "mendel/checker/sched"

// Change-aware preemption prioritisation: Jagannath, Luo and Marinov, "Change-Aware
// Preemption Prioritization" (ISSTA 2011), as in Luo's thesis (2015), section 4.1.2. With
// Search.Impact, dfs with a bound on preemptions, and auto, first explore schedules whose
// preemptions have to do with a change, and then all others: nothing is left out.
//
// Deviations: the first pass takes each bound in turn before the second one begins, and
// the second one makes the schedules of the first again. Of goroutines that have not
// begun it is not known where they are: they match nothing.

// prefer says, of the decision n, which alternatives the first pass tries.
func (s *dfs) prefer(n *node) {
	n.kept = zeros(n.kept, len(n.enabled))
	all := goroutines(n.enabled)
	hits := 0
	for _, p := range all {
		if p.Hit {
			hits++
		}
	}
	everything := hits == len(all)
	if !s.impact.All {
		everything = hits > 0
	}
	if c := n.current; c < 0 || n.yielding || n.barred[c] || everything {
		for i := range n.kept {
			n.kept[i] = true
		}
		return
	}
	n.kept[s.onward(n, all)] = true
}

// onward is the only alternative of a decision at which nobody is preempted: the
// goroutine that runs, or, so that others come to the change, one that is not there.
func (s *dfs) onward(n *node, all []sched.Pending) int {
	if s.impact.All && all[n.current].Hit {
		for i, p := range all {
			if !p.Hit && !n.barred[i] && n.preempted+n.cost(i) <= s.bound {
				return i
			}
		}
	}
	return n.current
}

// deepenTo explores with growing bounds, up to a limit, the schedules that have to do with
// the change.
func (e *explorer) deepenTo(bound int, l limit) {
	if e.Impact == nil {
		return
	}
	for k := 1; k <= bound && !e.over; k++ {
		s := newDFS(k, false)
		s.impact = e.Impact
		if !e.stage("dfs", s, l) || !s.deferred {
			return
		}
	}
}
