package driver

import (
	"cmp"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// replay follows each schedule of the request once.
func (d *session) replay() {
	for _, s := range d.request.First {
		d.say(wire.Answer{Test: d.follow(s)})
	}
}

// A follower makes one execution along a schedule, and tells how it differed.
type follower interface {
	sched.Strategy
	Diverged() string
}

// follow makes one execution along a schedule, traced.
func (d *session) follow(s wire.Schedule) *wire.Test {
	result := &wire.Test{Name: s.Test}
	t, ok := d.test(s.Test)
	if !ok {
		result.Verdict, result.Reason = explore.Inconclusive, "there is no such test"
		return result
	}
	choices, err := sched.ParseChoices(s.Choices)
	races, wrong := sched.ParseRaces(s.Races)
	if err = cmp.Or(err, wrong); err != nil {
		result.Verdict, result.Reason = explore.Inconclusive, err.Error()
		return result
	}
	r := &runner{test: t, main: d.main(), reset: !d.request.Search.OwnProcess}
	defer r.dismiss()
	if s.After {
		r.after = d.before(s.Test)
	}
	o := d.options()
	o.Trace, o.Start, o.Races = true, s.Start.Time(), races
	var along follower = explore.NewReplay(choices)
	if d.request.Mode == wire.Guided {
		along, o.Watch = explore.NewGuided(choices), d.request.Watch
	}
	along.Begin()
	start := time.Now()
	x := r.execute(along, o)
	along.End(x)
	result.Diverged = along.Diverged()
	judge(result, x, r, d.request.Mode, start)
	if len(result.Failures) == 0 {
		result.Goroutines, result.Trace, result.Accesses = x.Goroutines, x.Trace, x.Accesses
	}
	return result
}

// ownProcess makes one execution of the first test, from the state in which the
// process began.
func (d *session) ownProcess() {
	if len(d.request.Tests) == 0 {
		return
	}
	t, ok := d.test(d.request.Tests[0])
	if !ok {
		return
	}
	search := d.request.Search
	strategies := []string{"random", "pct", "pos"}
	strategy := strategies[search.Seed%uint64(len(strategies))]
	r := &runner{test: t, main: d.main()}
	defer r.dismiss()
	start := time.Now()
	var x *sched.Execution
	_, err := explore.Explore(nil, explore.Search{
		Strategy: strategy, Executions: 1, Depth: search.Depth, Seed: search.Seed, Run: d.options(),
		Execute: func(s sched.Strategy, o sched.Options) *sched.Execution {
			if x == nil { // else the replay of a failure, for which the state is not what it was
				x = r.execute(s, o)
			}
			return x
		},
	}, nil)
	result := &wire.Test{Name: t.Name}
	if err != nil {
		result.Verdict, result.Reason = explore.Inconclusive, err.Error()
	} else {
		judge(result, x, r, strategy, start)
	}
	d.say(wire.Answer{Test: result})
}

// judge gives the verdict on one execution.
func judge(result *wire.Test, x *sched.Execution, r *runner, strategy string, start time.Time) {
	result.Executions, result.Steps, result.Seconds = 1, x.Steps, time.Since(start).Seconds()
	switch kind := kindOf(x); {
	case r.stateful != "":
		result.Verdict, result.Stateful, result.Reason = explore.Inconclusive, true, r.stateful
	case kind == sched.Uncontrolled:
		result.Verdict, result.Reason = explore.Inconclusive, x.Failure.Message
	case kind == sched.Timeout:
		result.Verdict, result.Reason = explore.Inconclusive, "the test did not end within the step bound"+x.Failure.Where()
	case kind != "":
		f := failure(x, strategy, 1)
		f.Trace, f.Log = x.Trace, r.top.log()
		if kind == sched.Unordered {
			unorderly(result, f, strategy == wire.Replay)
			break
		}
		result.Verdict, result.Failures = explore.Failed, []wire.Failure{f}
	case x.Abandoned:
		result.Verdict, result.Reason = explore.Inconclusive, "the execution differs from the schedule: "+result.Diverged
	case len(x.Environment) > 0:
		result.Verdict, result.Reason = explore.Inconclusive, sched.Depends(x.Environment)
	default:
		result.Verdict = explore.Passed
		if r.skipped != "" {
			result.Skipped, result.Reason = true, r.skipped
		}
	}
}
