package validate

import "slices"

// An Interval is where the median of a ratio lies with a confidence of 95 % at
// least; zero: too few pairs were measured to say.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Differs reports whether the interval excludes that nothing has changed.
func (i Interval) Differs() bool { return i != Interval{} && (i.Low > 1 || i.High < 1) }

// doubt is one minus the confidence of an Interval.
const doubt = 0.05

// medianInterval is the interval of the median of what some figures were drawn
// from, by their order alone, whatever their distribution: between the k-th
// smallest and the k-th largest, where fewer than k of n coins show heads, or fewer
// than k tails, with a probability of doubt at most. (It is what benchstat has for a
// median.) It takes six figures at least.
func medianInterval(xs []float64) Interval {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	k := 0
	heads, sum := 1.0, 1.0 // ways to have k heads, and at most so many
	all := pow2(n)
	for 2*sum <= doubt*all && k < n/2 {
		k++
		heads = heads * float64(n-k+1) / float64(k)
		sum += heads
	}
	if k == 0 {
		return Interval{}
	}
	return Interval{s[k-1], s[n-k]}
}

func pow2(n int) float64 {
	p := 1.0
	for range n {
		p *= 2
	}
	return p
}
