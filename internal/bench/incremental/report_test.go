package incremental

import (
	"strings"
	"testing"
)

// The median is of subjects with more than ten mutants; scores that differ are failures.
func TestReport(t *testing.T) {
	r := &report{Subjects: []*row{
		{Subject: "long", Original: "failed", Mutants: 40, Schedules: 200, Carried: 40, Repeated: 20, FromScratch: 200, Passing: 150, Building: [2]float64{2, 3}, Scoring: [2]float64{1, 0.5}},
		{Subject: "short", Original: "failed", Mutants: 10, Schedules: 100, Carried: 90, Differ: []string{"0123"}},
	}}
	if f := r.Failures(); len(f) != 1 || f[0] != "short: 1 of 10 mutants have another score from scratch" {
		t.Errorf("failures %q", f)
	}
	var b strings.Builder
	if err := r.Write(&b, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Of 300 schedules of 50 mutants 150 need not be made: 130 are taken over from other mutants, and 20 are those of the same mutant again.",
		"these are 30 %, and 20 % and 10 % by themselves. 1 mutants",
		"building 1.50, scoring 0.50", "| long | failed | 40 | 200 | 40 | 20 | 30 % | 75 % | 2.00 / 3.00 | 1.00 / 0.50 | 0 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
