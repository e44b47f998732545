package validate

import (
	"math/rand/v2"
	"testing"
)

// The interval is that of the binomial distribution, as tables have it.
func TestMedianInterval(t *testing.T) {
	for n, want := range map[int]Interval{
		0: {}, 1: {}, 5: {}, 6: {1, 6}, 8: {1, 8}, 9: {2, 8}, 10: {2, 9}, 12: {3, 10}, 20: {6, 15}, 25: {8, 18},
	} {
		var xs []float64
		for i := range n {
			xs = append(xs, float64((i*7)%n+1)) // in no order, unless 7 divides n
		}
		if got := medianInterval(xs); got != want {
			t.Errorf("of %d figures it is %v, want %v", n, got, want)
		}
	}
}

// Of equal programs it says that they differ in one of twenty comparisons at most.
func TestIntervalCovers(t *testing.T) {
	const trials = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	wrong := 0
	for range trials {
		var ratios []float64
		for range 10 {
			ratios = append(ratios, (1+rng.ExpFloat64())/(1+rng.ExpFloat64()))
		}
		if medianInterval(ratios).Differs() {
			wrong++
		}
	}
	if wrong > trials*6/100 || wrong == 0 { // 2.1 % is what ten pairs come to
		t.Errorf("%d of %d comparisons of equal programs differ", wrong, trials)
	}
	if !(Interval{1.01, 1.3}).Differs() || !(Interval{0.5, 0.9}).Differs() || (Interval{0.9, 1.2}).Differs() || (Interval{}).Differs() {
		t.Error("an interval differs if it lies beside 1")
	}
}
