package noise

import (
	"testing"

	"mendel/analysis/evidence"
)

func TestWithout(t *testing.T) {
	blocked := func(role, fn string) evidence.Failure {
		return evidence.Failure{Kind: evidence.Blocked, Stacks: []evidence.Stack{{Role: role, Frames: []evidence.Frame{{Func: fn, Line: 7}}}}}
	}
	race := evidence.Failure{Kind: evidence.Race}
	worker := blocked("blocked: chan receive", "p.work")
	left := Left(worker)
	for _, test := range []struct {
		name   string
		o      Outcome
		passes bool
		kept   int
	}{
		{"only the worker", Outcome{Failures: []evidence.Failure{worker}, Tests: 1}, true, 0},
		{"a race too", Outcome{Failures: []evidence.Failure{race, worker}}, false, 1},
		{"another function", Outcome{Failures: []evidence.Failure{blocked("blocked: chan receive", "p.wait")}}, false, 1},
		{"another operation", Outcome{Failures: []evidence.Failure{blocked("blocked: chan send", "p.work")}}, false, 1},
		{"it did not end", Outcome{Failures: []evidence.Failure{worker}, hung: true}, false, 1},
		{"no failure is known", Outcome{}, false, 0},
	} {
		if got := test.o.Without(left); got.Pass != test.passes || len(got.Failures) != test.kept {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
	if !Idle(worker) || Idle(blocked("blocked: chan send", "p.work")) || Idle(blocked("blocked: sync.Mutex.Lock", "p.work")) || Idle(race) {
		t.Error("only goroutines that wait for work are idle")
	}
}
