package stress

import "math"

// A Rate is how often runs failed, with the interval in which the failure's frequency
// lies with a confidence of 95 %.
type Rate struct {
	Runs   int     `json:"runs"`
	Failed int     `json:"failed"`
	Rate   float64 `json:"rate"` // Failed of Runs; 0 without runs
	Low    float64 `json:"low"`
	High   float64 `json:"high"` // 1 without runs
}

// tail is the probability on each side that an interval leaves out.
const tail = 0.025

// rateOf is the rate of failures in runs with the exact interval of Clopper and Pearson
// (The use of confidence or fiducial limits, Biometrika 26, 1934). It holds for runs
// that are independent of each other.
func rateOf(failed, runs int) Rate {
	r := Rate{Runs: runs, Failed: failed, High: 1}
	if runs == 0 {
		return r
	}
	r.Rate = float64(failed) / float64(runs)
	if failed > 0 {
		// The frequency with which as many failures or more are seen in 2.5 % of the cases.
		r.Low = root(func(p float64) bool { return atLeast(failed, runs, p) >= tail })
	}
	if failed < runs {
		// That with which as many or fewer are.
		r.High = root(func(p float64) bool { return 1-atLeast(failed+1, runs, p) <= tail })
	}
	return r
}

// root is the smallest number between 0 and 1 for which something holds that holds for
// all greater ones.
func root(holds func(float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 { // the precision of a float64
		if p := (low + high) / 2; holds(p) {
			high = p
		} else {
			low = p
		}
	}
	return high
}

// atLeast is the probability of k or more successes in n trials of probability p,
// which is neither 0 nor 1.
func atLeast(k, n int, p float64) float64 {
	lgamma := func(n int) float64 {
		l, _ := math.Lgamma(float64(n))
		return l
	}
	sum := 0.0
	for i := k; i <= n; i++ {
		ways := lgamma(n+1) - lgamma(i+1) - lgamma(n-i+1)
		sum += math.Exp(ways + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return min(sum, 1)
}
