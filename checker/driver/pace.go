package driver

import (
	"slices"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// unhurried is how many random schedules are made in which the tests' time-outs are believed,
// before a failure counts as due to these. Guessed.
const unhurried = 20

// paced reports whether a failure that the test reports, and that needs time to pass although
// goroutines can go on, is due to what the test expects of the machine. Either it fails
// so if only the goroutine that reports the failure pauses; or it does not fail so if the test
// waits as long as it takes. best is the failing execution, and traced its replay.
func (e *exploration) paced(best, traced *sched.Execution) bool {
	kind := kindOf(best)
	if best.Early == 0 || kind != sched.TestFailure && kind != sched.Panic || len(traced.Failure.Places) == 0 {
		return false
	}
	o := e.options
	o.Start, o.Races = best.Start, best.Races
	if slow := slices.Index(traced.Goroutines, traced.Failure.Places[0].Goroutine); slow >= 0 && e.pausing(best, slow, o) {
		return true
	}
	return e.patiently(best, o)
}

// pausing reports whether an execution fails so if time passes early only while a goroutine pauses:
// after the statement of the test in which it did, or before.
func (e *exploration) pausing(best *sched.Execution, slow int, o sched.Options) bool {
	o.Trace, o.Access = true, sched.NoAccess
	pauses := func(choices []sched.Choice) bool {
		s := explore.NewPaused(choices, slow)
		return s.Begin() && alike(e.make(s, o), best) && !s.Restless() && !e.undone()
	}
	if pauses(best.Choices) {
		return true
	}
	s := explore.NewPaused(best.Choices, slow)
	s.Observe()
	if !s.Begin() || !alike(e.make(s, o), best) || e.undone() {
		return false
	}
	before := s.Before()
	return before != nil && pauses(before)
}

// patiently reports whether an execution fails otherwise, or not, if the time-outs of the test are
// believed; and other executions with these, too.
func (e *exploration) patiently(best *sched.Execution, o sched.Options) bool {
	o.Guards, o.Lenient, o.Handed = true, true, e.search.Handed[e.result.Name]
	s := explore.NewGuided(best.Choices)
	if x := e.patient(s, o); x == nil || alike(x, best) {
		return false
	}
	again := false
	r := e.searchFor("random")
	r.Executions, r.Run, r.All, r.Found = unhurried, o, true, nil
	r.Execute = func(s sched.Strategy, o sched.Options) *sched.Execution {
		x := e.make(s, o)
		again = again || alike(x, best)
		return x
	}
	_, err := explore.Explore(func() bool { return again || e.over() }, r, nil)
	return err == nil && !again && !e.undone()
}

// patient makes an execution; nil if it says nothing.
func (e *exploration) patient(s sched.Strategy, o sched.Options) *sched.Execution {
	if !s.Begin() {
		return nil
	}
	x := e.make(s, o)
	s.End(x)
	if e.undone() || x.Abandoned || x.Cut || kindOf(x) == sched.Uncontrolled || kindOf(x) == sched.Timeout || kindOf(x) == sched.Unordered {
		return nil
	}
	return x
}

// alike reports whether an execution fails as another one does.
func alike(x, failing *sched.Execution) bool {
	return x.Failure != nil && !x.Abandoned && x.Failure.Signature == failing.Failure.Signature
}
