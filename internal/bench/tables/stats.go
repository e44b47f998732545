package tables

import (
	"fmt"
	"math"
	"slices"
)

// Mean is the mean of some values, at least one.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// FormatMean formats the mean of some values, "-" if there are none.
func FormatMean(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", Mean(values))
}

// FormatMeanRange formats the mean of some values and their range.
func FormatMeanRange(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%s (%.1f-%.1f)", FormatMean(values), slices.Min(values), slices.Max(values))
}

// Median is the middle of some values, the mean of the middle two of an even
// number of them; 0 if there are none.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// SignTest is the exact two-sided sign test. If neither side were better, at
// least so uneven a result would have this probability. Ties are left out; the
// result without pairs is 1.
func SignTest(won, lost int) float64 {
	n, tail := won+lost, min(won, lost)
	p := 0.0
	for k := range tail + 1 {
		p += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return min(1, 2*p)
}

// logChoose is the logarithm of the binomial coefficient n over k.
func logChoose(n, k int) float64 {
	lgamma := func(i int) float64 { v, _ := math.Lgamma(float64(i) + 1); return v }
	return lgamma(n) - lgamma(k) - lgamma(n-k)
}
