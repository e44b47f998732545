package binomial

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The intervals with a tail of 2.5 % are those of R's binom.test; the bounds with 5 %
// are roots by hand, or of the same function with one alternative.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		tail      float64
		low, high float64
	}{
		{0, 0, 0.025, 0, 1},
		{0, 10, 0.025, 0, 0.3084971},
		{10, 10, 0.025, 0.6915029, 1},
		{1, 1, 0.025, 0.025, 1},
		{2, 20, 0.025, 0.01234853, 0.3169827},
		{50, 100, 0.025, 0.3983211, 0.6016789},
		{1, 1, 0.05, 0.05, 1},
		{20, 20, 0.05, math.Pow(0.05, 1.0/20), 1},
		{0, 20, 0.05, 0, 1 - math.Pow(0.05, 1.0/20)},
		{1, 30, 0.05, 1 - math.Pow(0.95, 1.0/30), 0.1486},
		{10, 20, 0.05, 0.30196, 1 - 0.30196},
	} {
		low, high := Lower(c.k, c.n, c.tail), Upper(c.k, c.n, c.tail)
		if math.Abs(low-c.low) > 1e-5 || math.Abs(high-c.high) > 1e-5 {
			t.Errorf("%d of %d, tail %g: %.7f to %.7f, want %.7f to %.7f", c.k, c.n, c.tail, low, high, c.low, c.high)
		}
	}
}

// A bound leaves out its tail exactly, and the interval has the share that was seen.
// The probability is summed here by repeated multiplication, without logarithms.
func TestBoundsLeaveOutTheirTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		tail := rapid.Float64Range(0.001, 0.4).Draw(t, "tail")
		low, high := Lower(k, n, tail), Upper(k, n, tail)
		if share := float64(k) / float64(n); !(0 <= low && low <= share && share <= high && high <= 1) {
			t.Fatalf("%d of %d: %g to %g", k, n, low, high)
		}
		if more := 1 - atMost(k-1, n, low); k > 0 && math.Abs(more-tail) > 1e-9 {
			t.Errorf("%d of %d: with %g, as many or more have the probability %g, not %g", k, n, low, more, tail)
		}
		if fewer := atMost(k, n, high); k < n && math.Abs(fewer-tail) > 1e-9 {
			t.Errorf("%d of %d: with %g, as many or fewer have the probability %g, not %g", k, n, high, fewer, tail)
		}
	})
}

// atMost is the probability of k or fewer successes in n trials, one trial after the
// other.
func atMost(k, n int, p float64) float64 {
	dist := make([]float64, n+1) // of the number of successes
	dist[0] = 1
	for range n {
		for i := n; i > 0; i-- {
			dist[i] = dist[i]*(1-p) + dist[i-1]*p
		}
		dist[0] *= 1 - p
	}
	sum := 0.0
	for i := range k + 1 {
		sum += dist[i]
	}
	return sum
}
