package noise

import (
	"testing"

	"mendel/analysis/evidence"
)

func TestOutcomeKeepApart(t *testing.T) {
	flaky := evidence.Failure{Test: "TestFlaky/sub", Kind: evidence.TestFailure, Message: "late"}
	race := evidence.Failure{Test: "TestRace", Kind: evidence.Race}
	ways := []evidence.Apart{{Test: "TestFlaky", Kind: evidence.TestFailure}}
	for _, tt := range []struct {
		name        string
		o           Outcome
		pass        bool
		left, apart int
	}{
		{"passed", Outcome{Pass: true}, true, 0, 0},
		{"nothing else", Outcome{Failures: []evidence.Failure{flaky}}, true, 0, 1},
		{"something else", Outcome{Failures: []evidence.Failure{race, flaky}}, false, 1, 1},
		{"no such thing", Outcome{Failures: []evidence.Failure{race}}, false, 1, 0},
		{"no failure", Outcome{}, false, 0, 0},
		{"ended from outside", Outcome{Failures: []evidence.Failure{flaky}, hung: true}, false, 1, 0},
	} {
		if got := tt.o.KeepApart(ways); got.Pass != tt.pass || len(got.Failures) != tt.left || len(got.Apart) != tt.apart {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}
