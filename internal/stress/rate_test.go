package stress

import (
	"math"
	"testing"
)

// The intervals are those of Clopper and Pearson, computed by R's binom.test.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		failed, runs int
		low, high    float64
	}{
		{0, 0, 0, 1},
		{0, 10, 0, 0.3084971},
		{10, 10, 0.6915029, 1},
		{1, 1, 0.025, 1},
		{2, 20, 0.01234853, 0.3169827},
		{50, 100, 0.3983211, 0.6016789},
	} {
		r := rateOf(c.failed, c.runs)
		if math.Abs(r.Low-c.low) > 1e-6 || math.Abs(r.High-c.high) > 1e-6 {
			t.Errorf("%d of %d: %.7f to %.7f, want %.7f to %.7f", c.failed, c.runs, r.Low, r.High, c.low, c.high)
		}
		if r.Rate < r.Low || r.Rate > r.High {
			t.Errorf("%d of %d: the rate %f is outside of its interval", c.failed, c.runs, r.Rate)
		}
	}
}

func TestPercent(t *testing.T) {
	for p, want := range map[float64]string{0: "0", 1: "100", 0.125: "12.5", 0.0004: "0.040", 1e-9: "0.001", 0.9996: "100"} {
		if got := percent(p); got != want {
			t.Errorf("%g: %s, want %s", p, got, want)
		}
	}
}
