package stress

import "mendel/internal/binomial"

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

// rateOf is the rate of failures in runs with its interval. It holds for runs that are
// independent of each other.
func rateOf(failed, runs int) Rate {
	r := Rate{
		Runs:   runs,
		Failed: failed,
		Low:    binomial.Lower(failed, runs, tail),
		High:   binomial.Upper(failed, runs, tail),
	}
	if runs > 0 {
		r.Rate = float64(failed) / float64(runs)
	}
	return r
}
