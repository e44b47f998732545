package driver

import (
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// idle is where goroutines that the program starts before its tests wait for work.
// An execution of nothing tells, once in a process.
func (d *session) idle() []sched.Place {
	if d.idled || len(d.request.Tests)+len(d.request.First) == 0 {
		return d.idling
	}
	d.idled = true
	if d.request.Search.OwnProcess || !sched.StartedEarly() && d.main() == nil {
		return nil
	}
	name := ""
	if len(d.request.Tests) > 0 {
		name = d.request.Tests[0]
	} else {
		name = d.request.First[0].Test
	}
	r := &runner{test: Test{Name: name, Func: func(*testing.T) {}}, main: d.main(), reset: true}
	defer r.dismiss()
	nothing := explore.NewGuided(nil)
	nothing.Begin()
	x := r.execute(nothing, sched.Options{Steps: d.request.Search.Steps, StepTime: d.request.Search.StepTime})
	nothing.End(x)
	d.initial = d.reached() // whoever waits there, all executions depend on it
	if kindOf(x) == sched.Blocked {
		d.idling = x.Failure.Places
	}
	return d.idling
}
