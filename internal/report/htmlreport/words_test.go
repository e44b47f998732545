package htmlreport

import (
	"slices"
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
	interval := func(low, high float64) dossier.Interval { return dossier.Interval{Low: low, High: high} }
	got := costs(dossier.Evidence{
		Time: 0.78, TimeInterval: interval(0.6, 1.1), Switches: 7, SwitchesInterval: interval(5, 8), Parallelism: .5,
	})
	want := []cost{
		{What: "Running time", Words: "no difference measured", Width: costMark},
		{What: "Voluntary context switches", Factor: "× 7.00", Words: "600 % more (400 % to 700 %)", Width: costMark * costMost, Worse: true},
		{What: "Parallelism", Factor: "× 0.50", Words: "50 % less", Width: costMark / 2, Worse: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	faster := costs(dossier.Evidence{Time: 0.7, TimeInterval: interval(0.6, 0.9)})
	if len(faster) != 1 || faster[0].Words != "30 % shorter (10 % to 40 %)" || !faster[0].Better {
		t.Errorf("%+v", faster)
	}
	if none := costs(dossier.Evidence{Time: 0.78, Switches: 1.5}); len(none) > 0 {
		t.Errorf("without intervals it has a cost: %+v", none)
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
