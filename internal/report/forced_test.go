package report

import (
	"testing"

	"mendel/checker/sched/explore"
	"mendel/internal/dossier"
	"mendel/validate"
)

// Runs that were forced are told beside the checker's verdict, and count as no noise.
func TestForcedWords(t *testing.T) {
	inconclusive := validate.Checked{Verdict: explore.Inconclusive, Reason: "net"}
	for _, c := range []struct {
		fix  validate.Fix
		want string
	}{
		{validate.Fix{}, ""},
		{validate.Fix{Confirmed: validate.Confirmation{Forced: 9}}, "Forced into the interleaving that failed the original: 9 runs passed."},
		{validate.Fix{Confirmed: validate.Confirmation{Forced: 1}, Checked: inconclusive},
			"Forced into the interleaving that failed the original: 1 run passed. Model checker: no verdict, net."},
		{validate.Fix{Forced: validate.Saturation{Predicted: 9, Exposed: 6, Tries: 2, Untried: 1, Runs: 12}},
			"Of 9 interleavings predicted around the changed code, 6 came about and 2 did not in 2 attempts each; 1 were not tried so often: none failed in 12 runs."},
	} {
		if got := judgedWords(&c.fix); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := Seen(dossier.FailureRecord{Forced: "1:a => 2:b"}); got != "Seen when an interleaving was forced, 1:a => 2:b." {
		t.Errorf("%q", got)
	}
}
