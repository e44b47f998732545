package repair

import (
	"testing"

	"mendel/fitness/noise"
	"mendel/internal/cover"
)

// How often a candidate is forced follows from how often the original failed so.
func TestConfirmingRuns(t *testing.T) {
	found := func(failed, runs int) *cover.Found {
		f := &cover.Found{}
		for i := range runs {
			f.Outcomes = append(f.Outcomes, noise.Outcome{Pass: i >= failed})
		}
		return f
	}
	for _, c := range []struct {
		forced  []*cover.Found
		n       int
		certain bool
	}{
		{[]*cover.Found{found(5, 5)}, 9, true},
		{[]*cover.Found{found(5, 5), found(4, 5)}, 17, true},
		{[]*cover.Found{found(1, 5)}, mostForced, false},
		{[]*cover.Found{found(1, 5), found(5, 5)}, mostForced, false},
	} {
		if n, certain := confirmingRuns(c.forced); n != c.n || certain != c.certain {
			t.Errorf("%d runs, certain %t; want %d, %t", n, certain, c.n, c.certain)
		}
	}
}
