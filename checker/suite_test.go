package checker

import (
	"testing"
	"time"

	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// suiteOf is a check of a suite whose tests have had some answers.
func suiteOf(workers int, answers ...[]wire.Test) *check {
	k := &check{b: &Binary{checker: &Checker{}}, s: Search{Suite: true, Strategy: "auto"}, workers: workers, deadline: time.Now().Add(time.Hour)}
	for _, list := range answers {
		t := &tested{name: string(rune('A' + len(k.tests)))}
		for _, a := range list {
			t.answers = append(t.answers, answer{Test: a})
		}
		k.tests = append(k.tests, t)
	}
	return k
}

var (
	fitting = wire.Test{Verdict: explore.Passed, Executions: 7}
	whole   = wire.Test{Verdict: explore.Exhausted, Executions: 5, Bound: -1, Complete: true}
	slow    = wire.Test{Verdict: explore.Inconclusive, Reason: "two executions take longer", Slow: true, Steps: 9000}
	slower  = wire.Test{Verdict: explore.Inconclusive, Reason: "two executions take longer", Slow: true, Steps: 20000}
	endless = wire.Test{Verdict: explore.Inconclusive, Reason: unended + " in 9 of 9 schedules: not ended", Executions: 9}
	some    = wire.Test{Verdict: explore.Inconclusive, Reason: unended + " in 3 of 9 schedules: not ended", Executions: 9}
	broken  = wire.Test{Verdict: explore.Inconclusive, Reason: "depends on code outside control: net"}
)

func names(tests []*tested) (text string) {
	for _, t := range tests {
		text += t.name
	}
	return text
}

// Tests that had no time get another turn, those with short executions first; those that
// passed and have more schedules get what is left in the end.
func TestRounds(t *testing.T) {
	k := suiteOf(2, []wire.Test{slower}, []wire.Test{fitting}, []wire.Test{slow}, []wire.Test{whole}, []wire.Test{broken}, nil)
	if got := names(k.unexplored()); got != "FCA" {
		t.Errorf("without time were %q, want FCA", got)
	}
	if got := names(k.open()); got != "B" {
		t.Errorf("%q have passed and more schedules, want B", got)
	}
	for _, tests := range [][]*tested{k.tests[:2], k.tests} {
		kept := k.deadline.Sub(k.firstRound(tests))
		if want := len(tests) > 2; (kept > 0) != want {
			t.Errorf("of an hour %v are kept for later rounds of %d tests with 2 workers", kept, len(tests))
		}
	}
}

// Tests that do not end within the engine's bound get a turn with a larger one, unless the
// bound is the user's.
func TestLongRound(t *testing.T) {
	k := suiteOf(2, []wire.Test{endless}, []wire.Test{fitting}, []wire.Test{slow}, []wire.Test{endless, fitting}, []wire.Test{broken}, nil, []wire.Test{some})
	if got := names(k.unended()); got != "A" {
		t.Errorf("not ended are %q, want A", got)
	}
	k.s.Steps = 5000
	if got := names(k.unended()); got != "" {
		t.Errorf("with the user's bound: %q", got)
	}
}

// A later round says more than one without time.
func TestLaterRoundCounts(t *testing.T) {
	k := suiteOf(1, []wire.Test{slow, fitting}, []wire.Test{fitting, slow}, []wire.Test{slow, broken}, []wire.Test{slow, slower})
	want := []explore.Verdict{explore.Passed, explore.Passed, explore.Inconclusive, explore.Inconclusive}
	causes := []Cause{"", "", Outside, TooLong}
	for i, one := range k.report().Tests {
		if one.Verdict != want[i] || one.Cause != causes[i] {
			t.Errorf("%s: %s (%s), want %s (%s)", one.Name, one.Verdict, one.Cause, want[i], causes[i])
		}
	}
}

// Nothing can be said of a suite only if nothing can be said of any test.
func TestSuiteVerdict(t *testing.T) {
	for _, test := range []struct {
		answers [][]wire.Test
		suite   explore.Verdict
		all     explore.Verdict // of a search that is no suite's
	}{
		{[][]wire.Test{{whole}, {whole}}, explore.Exhausted, explore.Exhausted},
		{[][]wire.Test{{whole}, {fitting}}, explore.Passed, explore.Passed},
		{[][]wire.Test{{whole}, {slow}}, explore.Passed, explore.Inconclusive},
		{[][]wire.Test{{broken}, {slow}}, explore.Inconclusive, explore.Inconclusive},
	} {
		k := suiteOf(1, test.answers...)
		if got := k.report().Verdict; got != test.suite {
			t.Errorf("%v: %s as a suite, want %s", test.answers, got, test.suite)
		}
		k.s.Suite = false
		if got := k.report().Verdict; got != test.all {
			t.Errorf("%v: %s, want %s", test.answers, got, test.all)
		}
	}
}
