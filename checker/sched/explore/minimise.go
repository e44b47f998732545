package explore

import (
	"slices"

	"mendel/checker/sched"
)

// Minimise looks for an execution with the same failure signature as failing and
// as few early time-outs and then preemptions as possible, in at most budget executions: the fewer switches
// a failure has, the easier it is to understand. It first follows failing and
// leaves switches out. Then it explores all schedules with fewer preemptions,
// fewest first. If it completes that, there is no better execution (under fair
// scheduling), and proven is true. The result is replayed; it is failing itself if
// nothing better was found. stop is asked often; nil never stops.
func Minimise(stop func() bool, o sched.Options, budget int, failing *sched.Execution, body func()) (best *sched.Execution, proven bool) {
	return Search{Run: o}.Minimise(stop, budget, failing, body)
}

// Minimise is [Minimise] with the executions made as the search makes them.
func (s Search) Minimise(stop func() bool, budget int, failing *sched.Execution, body func()) (best *sched.Execution, proven bool) {
	run, o := s.runner(body), s.Run
	o.Stop = stop
	return minimise(stop, budget, failing, func(t sched.Strategy) *sched.Execution { return run(t, o) })
}

func minimise(stop func() bool, budget int, failing *sched.Execution, run func(sched.Strategy) *sched.Execution) (*sched.Execution, bool) {
	if len(failing.Environment) > 0 {
		return failing, false // its schedule is not all that it depends on
	}
	m := &minimiser{best: failing, left: budget, stop: stop, run: run}
	for m.believe() {
	}
	for m.leaveOut() {
	}
	proven := true
	for bound := 0; proven && bound < m.best.Preempted; bound++ {
		proven = m.exhaust(bound)
	}
	m.needs()
	return m.best, proven
}

// needs finds out whether the best execution needs each of its early time-outs, in some more
// executions if there are no others left.
func (m *minimiser) needs() {
	if m.best.Early == 0 {
		return
	}
	m.left = max(m.left, 4*(m.best.Early+1))
	for m.believe() {
	}
	m.best.Needed = !m.over()
}

type minimiser struct {
	best *sched.Execution
	left int // executions
	stop func() bool
	run  func(sched.Strategy) *sched.Execution
}

// try makes an execution and keeps it if it is better.
func (m *minimiser) try(s sched.Strategy) (better bool) {
	m.left--
	x := m.run(s)
	s.End(x)
	if !m.same(x) || x.Early > m.best.Early || x.Early == m.best.Early && x.Preempted >= m.best.Preempted {
		return false
	}
	again, differs := replay(func(s sched.Strategy, _ sched.Options) *sched.Execution { return m.run(s) }, sched.Options{}, x.Choices)
	if differs != "" || !m.same(again) {
		return false
	}
	m.best = x
	return true
}

func (m *minimiser) same(x *sched.Execution) bool {
	return x.Failure != nil && !x.Abandoned && x.Failure.Signature == m.best.Failure.Signature
}

func (m *minimiser) over() bool { return m.left <= 0 || m.stop != nil && m.stop() }

// believe tries the best execution without its early time-outs, all or each of them:
// then a timer expires when nobody can go on.
func (m *minimiser) believe() (better bool) {
	if m.best.Early == 0 {
		return false
	}
	none := slices.DeleteFunc(slices.Clone(m.best.Choices), func(c sched.Choice) bool { return c.Kind == sched.Expiry })
	if s := NewGuided(none); m.best.Early > 1 && s.Begin() && m.try(s) {
		return true
	}
	for at := 0; at < len(m.best.Choices) && !m.over(); at++ {
		if m.best.Choices[at].Kind != sched.Expiry {
			continue
		}
		if s := (NewGuided(slices.Delete(slices.Clone(m.best.Choices), at, at+1))); s.Begin() && m.try(s) {
			return true
		}
	}
	return false
}

// leaveOut tries the best execution without each of its switches.
func (m *minimiser) leaveOut() (better bool) {
	for at := 1; at < len(m.best.Choices) && !m.over(); at++ {
		a, b := m.best.Choices[at-1], m.best.Choices[at]
		if a.Kind != sched.Step || b.Kind != sched.Step || a == b {
			continue
		}
		if s := (NewGuided(merge(m.best.Choices, at))); s.Begin() && m.try(s) {
			return true
		}
	}
	return false
}

// merge moves the next block of the goroutine that runs before choices[at]
// there, so that it is not interrupted.
func merge(choices []sched.Choice, at int) []sched.Choice {
	step := choices[at-1]
	from := at
	for from < len(choices) && choices[from] != step {
		from++
	}
	to := from
	for to < len(choices) && (choices[to] == step || choices[to].Kind != sched.Step) {
		to++
	}
	merged := append([]sched.Choice(nil), choices[:at]...)
	merged = append(merged, choices[from:to]...)
	merged = append(merged, choices[at:from]...)
	return append(merged, choices[to:]...)
}

// exhaust explores all schedules with up to bound preemptions; false if the
// budget ends before, true also if it found a better execution.
func (m *minimiser) exhaust(bound int) bool {
	s := newDFS(bound, false)
	for {
		if m.over() {
			return false
		}
		if !s.Begin() {
			return s.diverged == "" && !s.exceeded
		}
		if m.try(s) {
			return true
		}
	}
}
