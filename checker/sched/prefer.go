package sched

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
func (s *dfs) onward(n *node, all []Pending) int {
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
