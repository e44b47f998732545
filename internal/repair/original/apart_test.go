package original

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/result"
)

// What is repaired first is what most runs show or, where none does, what some schedules show.
func TestMainGroup(t *testing.T) {
	race := Failure{Failure: evidence.Failure{Kind: evidence.Race}, seen: 5, runs: 5}
	rare := Failure{Failure: evidence.Failure{Kind: evidence.Race}, seen: 2, runs: 5}
	checked := Failure{Failure: evidence.Failure{Kind: evidence.Deadlock}}
	for _, tt := range []struct {
		name     string
		failures []Failure
		main     []bool
	}{
		{"the more frequent", []Failure{race, rare}, []bool{true, false}},
		{"both", []Failure{race, race}, []bool{true, true}},
		{"runs before schedules", []Failure{rare, checked}, []bool{true, false}},
		{"schedules alone", []Failure{checked}, []bool{true}},
	} {
		b := &Baseline{Failures: tt.failures}
		var groups []group
		for i := range tt.failures {
			groups = append(groups, group{failures: []int{i}})
		}
		main := reproducing(b).mainGroup(groups)
		for i, g := range groups {
			if main(g) != tt.main[i] {
				t.Errorf("%s: group %d is main: %v", tt.name, i, main(g))
			}
		}
	}
}

// What the original is asked is about a test and a kind or, without a test, about goroutines.
func TestQuestion(t *testing.T) {
	left := func(function string) evidence.Failure {
		return evidence.Failure{Kind: evidence.Blocked, Stacks: []evidence.Stack{{Role: "blocked: select", Frames: []evidence.Frame{{Func: function}}}}}
	}
	failed := evidence.Failure{Kind: evidence.TestFailure, Test: "TestX/sub", Message: "1"}
	again := evidence.Failure{Kind: evidence.TestFailure, Test: "TestX/other", Message: "2"}
	for _, tt := range []struct {
		name      string
		of, other evidence.Failure
		asked     bool
		shown     bool
	}{
		{"the same test and kind", failed, again, true, true},
		{"another kind", failed, evidence.Failure{Kind: evidence.Race, Test: "TestX"}, true, false},
		{"another test", failed, evidence.Failure{Kind: evidence.TestFailure, Test: "TestY"}, true, false},
		{"goroutines", left("work"), left("work"), true, true},
		{"other goroutines", left("work"), left("rest"), true, false},
		{"neither", evidence.Failure{Kind: evidence.Panic}, failed, false, false},
	} {
		q, ok := questionOf(tt.of)
		if ok != tt.asked || ok && q.shown(tt.other) != tt.shown {
			t.Errorf("%s: %v, %v", tt.name, q, ok)
		}
	}
}

// What a test complains of in each schedule and in no run is told from what a run shows of it.
func TestArtefact(t *testing.T) {
	complains := func(test string, seen int) Failure {
		return Failure{Failure: evidence.Failure{Kind: evidence.TestFailure, Test: test}, seen: seen}
	}
	checked := &checker.Report{Tests: []checker.TestReport{{Name: "TestAlways", Sampled: 30}, {Name: "TestSometimes", Sampled: 30, Passed: 3}}}
	for name, c := range map[string]struct {
		failures []Failure
		want     bool
	}{
		"in each schedule":        {[]Failure{complains("TestAlways", 0), complains("TestOther", 5)}, true},
		"in some schedules":       {[]Failure{complains("TestSometimes", 0), complains("TestOther", 5)}, false},
		"in runs, too":            {[]Failure{complains("TestAlways", 1)}, false},
		"in runs, in another way": {[]Failure{complains("TestAlways/a", 0), {Failure: evidence.Failure{Kind: evidence.Race, Test: "TestAlways"}, seen: 5}}, false},
	} {
		b := baselineFor(result.Wanted{})
		b.Failures, b.Checked = c.failures, checked
		if got := reproducing(b).artefact(0); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
