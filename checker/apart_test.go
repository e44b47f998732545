package checker

import (
	"maps"
	"slices"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
)

// A report of three tests: one fails as is looked for, one by its own complaint, one passes.
func reportOfThree() *Report {
	failure := func(test string, kind evidence.Kind) Failure {
		return Failure{Failure: evidence.Failure{Test: test, Kind: kind, Signature: test + string(kind)}}
	}
	return &Report{
		Verdict: explore.Failed, Sampled: 90, Passed: 50, Kinds: map[string]int{"race": 30, "test-failure": 10}, Schedules: 1000,
		Tests: []TestReport{
			{Name: "TestRace", Verdict: explore.Failed, Sampled: 30, Kinds: map[string]int{"race": 30}, Fails: []evidence.Kind{evidence.Race}},
			{Name: "TestFlaky", Verdict: explore.Failed, Sampled: 30, Passed: 20, Kinds: map[string]int{"test-failure": 10}, Fails: []evidence.Kind{evidence.TestFailure}},
			{Name: "TestGood", Verdict: explore.Exhausted, Bound: 2, Sampled: 30, Passed: 30},
		},
		Failures: []Failure{failure("TestRace", evidence.Race), failure("TestFlaky", evidence.TestFailure)},
	}
}

func TestKeepApart(t *testing.T) {
	flaky := evidence.Apart{Test: "TestFlaky", Kind: evidence.TestFailure}
	race := evidence.Apart{Test: "TestRace", Kind: evidence.Race}
	for _, tt := range []struct {
		name                   string
		ways                   []evidence.Apart
		verdict                explore.Verdict
		sampled, passed, races int
		failures, apart        int
	}{
		{"nothing", nil, explore.Failed, 90, 50, 30, 2, 0},
		{"another kind", []evidence.Apart{{Test: "TestFlaky", Kind: evidence.Race}}, explore.Failed, 90, 50, 30, 2, 0},
		{"one", []evidence.Apart{flaky}, explore.Failed, 60, 30, 30, 1, 1},
		{"always", []evidence.Apart{{Test: flaky.Test, Kind: flaky.Kind, Always: true}}, explore.Failed, 60, 30, 30, 1, 0},
		{"all", []evidence.Apart{flaky, race}, explore.Passed, 30, 30, 0, 0, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := reportOfThree().KeepApart(tt.ways)
			if r.Verdict != tt.verdict || r.Sampled != tt.sampled || r.Passed != tt.passed || r.Kinds["race"] != tt.races ||
				len(r.Failures) != tt.failures || len(r.Apart) != tt.apart || len(r.Tests) != 3 || r.Schedules != 1000 {
				t.Errorf("%+v", r)
			}
		})
	}
	before := reportOfThree()
	before.KeepApart([]evidence.Apart{flaky, race})
	if again := reportOfThree(); !maps.Equal(before.Kinds, again.Kinds) || before.Sampled != again.Sampled || len(before.Failures) != 2 {
		t.Errorf("the report itself has changed: %+v", before)
	}
}

// A test that fails in two ways is kept apart only if both are.
func TestKeepApartBothWays(t *testing.T) {
	r := reportOfThree()
	r.Tests[1].Fails = append(r.Tests[1].Fails, evidence.Deadlock)
	one := r.KeepApart([]evidence.Apart{{Test: "TestFlaky", Kind: evidence.TestFailure}})
	if one != r {
		t.Errorf("%+v", one)
	}
}

// Two tests that fail in the same way are told once: what is kept apart for one is not for the other.
func TestKeepApartSameSignature(t *testing.T) {
	r := reportOfThree()
	r.Failures = slices.Delete(r.Failures, 0, 1)
	r.Tests[0].Fails = []evidence.Kind{evidence.TestFailure}
	if kept := r.KeepApart([]evidence.Apart{{Test: "TestFlaky", Kind: evidence.TestFailure}}); kept.Verdict != explore.Failed || len(kept.Failures) == 0 {
		t.Errorf("%+v", kept)
	}
}
