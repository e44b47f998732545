package original

import (
	"slices"
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
)

func TestFailing(t *testing.T) {
	failed := func(begun int, tests ...string) noise.Outcome {
		o := noise.Outcome{Tests: begun}
		for _, name := range tests {
			o.Failures = append(o.Failures, evidence.Failure{Kind: evidence.TestFailure, Signature: name, Test: name})
		}
		return o
	}
	for name, c := range map[string]struct {
		noised []noise.Outcome
		want   []string
	}{
		"some":           {[]noise.Outcome{failed(5, "TestB/late"), {Pass: true, Tests: 5}, failed(5, "TestA", "TestB/early")}, []string{"TestA", "TestB"}},
		"all":            {[]noise.Outcome{failed(1, "TestB")}, nil},
		"of an unknown":  {[]noise.Outcome{failed(5, "TestB", "")}, nil},
		"nothing failed": {[]noise.Outcome{{Pass: true, Tests: 5}}, nil},
	} {
		b := &Baseline{Noised: c.noised}
		if got := b.Failing(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
