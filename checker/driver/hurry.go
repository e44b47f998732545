package driver

import (
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// A test may take so long that there is no time for its plain execution and the
// repetition of that. Other schedules may fail early, such as those that deadlock, and
// one that does not fail says a little, too.

// halfway reports whether the plain execution has taken so long that there will be no
// time for its repetition.
func (e *exploration) halfway() bool {
	return e.late() || e.search.Single && !e.end.IsZero() && !time.Now().Before(e.start.Add(e.end.Sub(e.start)/2))
}

// hurry tries random schedules until there is no time left. A failure counts if its
// schedule fails again.
func (e *exploration) hurry() {
	if !e.search.Single || e.late() || e.undone() {
		return
	}
	e.hurried = true
	s := e.searchFor("random")
	s.Run.Stop = e.late
	s.Execute = func(t sched.Strategy, o sched.Options) *sched.Execution {
		x := e.make(t, o)
		if passes(x) {
			e.whole++
		}
		return x
	}
	e.explored(explore.Explore(func() bool { return e.satisfied() || e.over() }, s, nil))
}

// passes reports whether an execution ended by itself, without a failure.
func passes(x *sched.Execution) bool {
	return x.Failure == nil && !x.Abandoned && !x.Cut && !x.Spins
}
