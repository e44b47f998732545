package localize

import "math"

// fisher is Fisher's exact test, two-sided: if failures came with the same
// probability in both series of runs, at least so uneven a result would have this
// probability.
func fisher(failedA, runsA, failedB, runsB int) float64 {
	failed, runs := failedA+failedB, runsA+runsB
	if runsA == 0 || runsB == 0 {
		return 1
	}
	seen := hypergeometric(failedA, runsA, failed, runs)
	p := 0.0
	for k := max(0, failed-runsB); k <= min(failed, runsA); k++ {
		if h := hypergeometric(k, runsA, failed, runs); h <= seen*(1+1e-9) {
			p += h
		}
	}
	return min(p, 1)
}

// hypergeometric is the probability of k failures among the runs of one series, if
// so many of all runs failed.
func hypergeometric(k, series, failed, runs int) float64 {
	return math.Exp(choose(failed, k) + choose(runs-failed, series-k) - choose(runs, series))
}

// choose is the logarithm of the binomial coefficient.
func choose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
