package stress

import (
	"math"
	"strings"
	"testing"

	"mendel/analysis/evidence"
)

// So many runs have to pass that a failure as frequent as before would be seen.
func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		r      Rate
		chance float64
		want   int
	}{
		{Rate{Low: 1}, 0.01, 1},
		{Rate{Low: 0.5}, 0.01, 7},    // 0.5^7 = 0.0078
		{Rate{Low: 0.01}, 0.05, 299}, // the rule of three
	} {
		if got := needed(c.r, c.chance); got != c.want {
			t.Errorf("%v, %v: %d runs, want %d", c.r.Low, c.chance, got, c.want)
		}
	}
}

// Lines move from commit to commit, and places change places with them; other functions
// and kinds are another failure.
func TestSameBut(t *testing.T) {
	race := "race: p.(*A).Get a.go:12, p.(*A).Set a.go:30"
	for _, c := range []struct {
		other string
		want  bool
	}{
		{race, true},
		{"race: p.(*A).Set a.go:3, p.(*A).Get a.go:9", true},
		{"race: p.(*A).Get a.go:12, p.(*A).Put a.go:30", false},
		{"blocked: p.(*A).Get a.go, p.(*A).Set a.go", false},
	} {
		if got := sameBut(evidence.Failure{Signature: race}, evidence.Failure{Signature: c.other}); got != c.want {
			t.Errorf("%s: %v, want %v", c.other, got, c.want)
		}
	}
}

func TestDecide(t *testing.T) {
	other := []*group{{Failure: evidence.Failure{Message: "panic: other"}}}
	for _, c := range []struct {
		name    string
		runs    Judged
		groups  []*group
		verdict string
		doubt   float64
		reason  string
	}{
		{"one failure is enough", Judged{Runs: 9, Passed: 8, Failed: 1}, other, Bad, 0, ""},
		{"enough runs passed", Judged{Runs: 10, Passed: 10}, nil, Good, math.Pow(0.5, 10), ""},
		{"fewer, and it is told", Judged{Runs: 5, Passed: 5}, nil, Good, math.Pow(0.5, 5), ""},
		{"too few", Judged{Runs: 2, Passed: 2}, nil, Skipped, 0, "only 2 of 10 runs"},
		{"another failure", Judged{Runs: 9, Passed: 1}, other, Skipped, 0, "panic: other"},
	} {
		b := &bisecting{told: &Bisection{Needed: 10, Rate: Rate{Low: 0.5}}}
		j := c.runs
		b.decide(&j, &subject{groups: c.groups}, "")
		if j.Verdict != c.verdict || j.Doubt != c.doubt || !strings.Contains(j.Reason, c.reason) {
			t.Errorf("%s: %s, doubt %g, %q; want %s, %g, %q", c.name, j.Verdict, j.Doubt, j.Reason, c.verdict, c.doubt, c.reason)
		}
	}
}
