package programs

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
)

// A run is excused only if nothing but assertions of delayed tests has failed.
func TestOnlyDelayed(t *testing.T) {
	assertion, race := evidence.TestFailure, evidence.Race
	for _, c := range []struct {
		name     string
		failures []evidence.Failure
		want     bool
	}{
		{"delayed", []evidence.Failure{{Kind: assertion, Test: "TestSlow/sub"}, {Kind: assertion, Test: "TestSlow"}}, true},
		{"another test", []evidence.Failure{{Kind: assertion, Test: "TestSlow"}, {Kind: assertion, Test: "TestSlower"}}, false},
		{"race", []evidence.Failure{{Kind: race, Test: "TestSlow"}}, false},
		{"passed", nil, false},
	} {
		p := Patched{Delayed: []string{"TestSlow"}}
		if got := p.onlyDelayed(noise.Outcome{Failures: c.failures}); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
