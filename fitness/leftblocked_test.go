package fitness

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

func TestBelieve(t *testing.T) {
	failed := func(passed int, role string, kinds ...string) *checker.Report {
		r := &checker.Report{Verdict: explore.Failed, Sampled: 30, Passed: passed, Kinds: map[string]int{}}
		for _, kind := range kinds {
			r.Kinds[kind] += 30 - passed
			f := checker.Failure{}
			f.Kind, f.Message = evidence.Kind(kind), kind
			f.Stacks = []evidence.Stack{{Role: role, Frames: []evidence.Frame{{Func: "p.work"}}}}
			r.Failures = append(r.Failures, f)
		}
		return r
	}
	race := failed(0, "read", sched.Race)
	for _, test := range []struct {
		name             string
		report, original *checker.Report
		left             []string
		want             explore.Verdict
	}{
		{"a worker that nobody stops", failed(0, "blocked: select", sched.Blocked), race, nil, explore.Inconclusive},
		{"some schedules leave nobody", failed(7, "blocked: select", sched.Blocked), race, nil, explore.Failed},
		{"the race is still there", failed(0, "blocked: select", sched.Blocked, sched.Race), race, nil, explore.Failed},
		{"a lock that is not released", failed(0, "blocked: sync.Mutex.Lock", sched.Blocked), race, nil, explore.Failed},
		{"a send that nobody receives", failed(0, "blocked: chan send", sched.Blocked), race, nil, explore.Failed},
		{"a wait for others", failed(0, "blocked: sync.WaitGroup.Wait", sched.Blocked), race, nil, explore.Failed},
		{"the original leaves goroutines", failed(0, "blocked: select", sched.Blocked), failed(0, "blocked: select", sched.Blocked, sched.Race), nil, explore.Failed},
		{"the original ends well at times", failed(0, "blocked: select", sched.Blocked), failed(3, "read", sched.Race), nil, explore.Failed},
		{"no original", failed(0, "blocked: select", sched.Blocked), nil, nil, explore.Failed},
		{"known to be left", failed(7, "blocked: select", sched.Blocked), failed(3, "read", sched.Race), []string{"blocked: select in p.work"}, explore.Inconclusive},
		{"others are known to be left", failed(7, "blocked: select", sched.Blocked), failed(3, "read", sched.Race), []string{"blocked: select in p.wait"}, explore.Failed},
	} {
		if got := Believe(test.report, test.original, test.left); got.Verdict != test.want {
			t.Errorf("%s: %s, want %s", test.name, got.Verdict, test.want)
		}
	}
}
