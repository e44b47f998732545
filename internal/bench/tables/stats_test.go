package tables

import (
	"math"
	"slices"
	"testing"
)

// By hand: twice the lower tail of the binomial distribution with p = 1/2.
func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		won, lost int
		want      float64
	}{
		{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {5, 0, 2.0 / 32}, {0, 5, 2.0 / 32},
		{8, 2, 2 * (1 + 10 + 45) / 1024.0}, {12, 3, 2 * (1 + 15 + 105 + 455) / 32768.0},
	} {
		if got := SignTest(c.won, c.lost); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d : %d: p = %v, want %v", c.won, c.lost, got, c.want)
		}
	}
	if p := SignTest(2000, 1800); !(p > 0.001 && p < 0.0015) { // normal approximation: 0.0012
		t.Errorf("2000 : 1800: p = %v", p)
	}
}

func TestMeanRange(t *testing.T) {
	if got := FormatMeanRange(nil); got != "-" {
		t.Errorf("nothing: %q", got)
	}
	if got := FormatMeanRange([]float64{1, 2, 6}); got != "3.0 (1.0-6.0)" {
		t.Errorf("got %q", got)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1}, 5}, {[]float64{7, 100, 1}, 7}, {[]float64{4, 1, 2, 100}, 3}} {
		before := slices.Clone(c.values)
		if got := Median(c.values); got != c.want || !slices.Equal(before, c.values) {
			t.Errorf("median of %v: %v, want %v (values now %v)", before, got, c.want, c.values)
		}
	}
}
