package binomial

import "math"

// Lower is the lower bound of the frequency of what was seen k times in n trials: with
// that frequency it is seen as often or more often with the probability tail, with a
// smaller one less probably. It is 0 if it was never seen.
func Lower(k, n int, tail float64) float64 {
	if k <= 0 {
		return 0
	}
	low, high := 0.0, 1.0
	for range 60 { // the precision of a float64
		if p := (low + high) / 2; atLeast(k, n, p) < tail {
			low = p
		} else {
			high = p
		}
	}
	return low
}

// Upper is the upper bound of the frequency of what was seen k times in n trials: with
// that frequency it is seen as often or less often with the probability tail, with a
// greater one less probably. It is 1 if it was seen each time.
func Upper(k, n int, tail float64) float64 {
	return 1 - Lower(n-k, n, tail) // of not seeing it
}

// atLeast is the probability of k or more successes in n trials of probability p,
// which is neither 0 nor 1.
func atLeast(k, n int, p float64) float64 {
	sum := 0.0
	for i := k; i <= n; i++ {
		sum += math.Exp(logChoose(n, i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

// logChoose is the logarithm of the binomial coefficient n over k.
func logChoose(n, k int) float64 {
	factorial := func(i int) float64 { l, _ := math.Lgamma(float64(i) + 1); return l }
	return factorial(n) - factorial(k) - factorial(n-k)
}
