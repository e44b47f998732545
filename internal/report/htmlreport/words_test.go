package htmlreport

import (
	"testing"

	"mendel/internal/dossier"
)

func TestDuration(t *testing.T) {
	for give, want := range map[float64]string{
		0: "0.0 s", 3.14: "3.1 s", 9.96: "10 s", 59.6: "1 min", 61: "1 min 1 s", 600: "10 min",
		3600: "1 h", 28800: "8 h", 5000: "1 h 23 min", -1: "?",
	} {
		if got := duration(give); got != want {
			t.Errorf("%g seconds are %q, want %q", give, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for give, want := range map[string]string{
		"": "", "one lock is held": "One lock is held.", "a.mu is released": "a.mu is released.",
		"deadlock: all": "Deadlock: all.", "really?": "Really?", "newDone is closed": "newDone is closed.", "(*T).f waits": "(*T).f waits.",
	} {
		if got := sentence(give); got != want {
			t.Errorf("%q becomes %q, want %q", give, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for give, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := number(give); got != want {
			t.Errorf("%d is %q, want %q", give, got, want)
		}
	}
}

func TestCosts(t *testing.T) {
	longer := 1.03
	got := costs(dossier.Evidence{Time: longer, Switches: 7, Parallelism: .5})
	want := []cost{
		{What: "Running time", Factor: "× 1.03", Words: "about as before", Width: costMark * longer},
		{What: "Context switches", Factor: "× 7.00", Words: "600 % more", Width: costMark * costMost, Worse: true},
		{What: "Parallelism", Factor: "× 0.50", Words: "50 % less", Width: costMark / 2, Worse: true},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
	if len(costs(dossier.Evidence{})) > 0 {
		t.Error("what was not measured has a cost")
	}
}

// TestEvidenceWithoutChecker says what was not done.
func TestEvidenceWithoutChecker(t *testing.T) {
	for _, r := range evidenceRows(&dossier.Dossier{}, dossier.Evidence{}) {
		if r.Sign == "✓" {
			t.Errorf("%s: %s", r.What, r.After)
		}
	}
}
