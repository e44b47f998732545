package predict

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
)

// What a first schedule shows is told apart from what is foretold.
func TestAnswerOf(t *testing.T) {
	failure := func(test string, kind evidence.Kind) checker.Failure {
		return checker.Failure{Failure: evidence.Failure{Test: test, Kind: kind}}
	}
	a := answerOf(&checker.Report{
		Schedules: 7,
		Tests: []checker.TestReport{
			{Name: "TestA", Predicted: &explore.Predicted{Steps: 9, Windows: 1, Predictions: []explore.Prediction{
				{Outcome: explore.Confirmed}, {Outcome: explore.Refuted}, {Outcome: explore.Undecided}, {Outcome: explore.Undecided},
			}}},
			{Name: "TestB", Predicted: &explore.Predicted{Steps: 90}},
		},
		Failures: []checker.Failure{failure("TestA", evidence.Panic), failure("TestB", evidence.Race)},
	})
	if a.Runs != 1 || a.Steps != 9 || a.Confirmed != 1 || a.Refuted != 1 || a.Undecided != 2 || a.Schedules != 7 ||
		len(a.Plain) != 1 || a.Plain[0] != "race" || len(a.Foretold) != 1 || a.Foretold[0] != "panic" {
		t.Errorf("%+v", a)
	}
	for kind, want := range map[string]string{"race": "by the first schedule", "panic": "foretold", "deadlock": "by the first schedule, as race", "atomicity": "by the first schedule"} {
		if got := (&outcome{Kind: kind, Buggy: a}).shown(); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// A corrected copy must not fail.
func TestFailures(t *testing.T) {
	r := &report{Subjects: []*outcome{{Name: "a", Buggy: answer{Plain: []string{"race"}}}, {Name: "b", Mended: answer{Foretold: []string{"race"}}}}}
	if f := r.Failures(); len(f) != 1 || f[0] != "b, corrected, fails: race" {
		t.Errorf("%q", f)
	}
}
