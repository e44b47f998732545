package exposure

import (
	"context"
	"fmt"
	"slices"

	"mendel/internal/cover"
)

// A Try is a strategy with one seed.
type Try struct {
	Runs    int     `json:"runs"`            // up to the first failure; 0: there was none
	Idiom   int     `json:"idiom,omitempty"` // that was forced then; 0: none
	Kind    string  `json:"kind,omitempty"`  // of the failure
	Seconds float64 `json:"seconds"`         // for the runs, without builds
}

// Tries are those of one strategy with several seeds.
type Tries []Try

// Measure runs the tests as mendel cover does, with each seed until the first failure
// that is wanted.
func Measure(ctx context.Context, o cover.TrialOptions) (Tries, error) {
	trials, err := cover.Trials(ctx, o)
	var all Tries
	for _, t := range trials {
		one := Try{Seconds: t.Seconds}
		if t.Failure != nil {
			one.Runs, one.Idiom, one.Kind = t.Runs, t.Idiom, string(t.Failure.Kind)
		}
		all = append(all, one)
	}
	return all, err
}

// Exposed counts the tries in which the test failed.
func (all Tries) Exposed() (n int) {
	for _, t := range all {
		if t.Runs > 0 {
			n++
		}
	}
	return n
}

// Median is that of the runs, where a try that exposes nothing needs more than any other;
// 0: the median is such a try, or there is none.
func (all Tries) Median() int {
	var runs []int
	for _, t := range all {
		runs = append(runs, t.Runs)
	}
	return Median(runs)
}

// Median is that of some numbers of runs, the lower one of two. 0 is more than any other.
func Median(runs []int) int {
	if len(runs) == 0 {
		return 0
	}
	sorted := slices.Clone(runs)
	slices.SortFunc(sorted, func(a, b int) int {
		switch {
		case Fewer(a, b):
			return -1
		case Fewer(b, a):
			return 1
		}
		return 0
	})
	return sorted[(len(sorted)-1)/2]
}

// Fewer reports whether a are fewer runs than b, where 0 is more than any other.
func Fewer(a, b int) bool { return a > 0 && (b == 0 || a < b) }

// Words are the median, and how many tries exposed the bug.
func (all Tries) Words() string {
	median := "-"
	if m := all.Median(); m > 0 {
		median = fmt.Sprint(m)
	}
	return fmt.Sprintf("%s (%d of %d)", median, all.Exposed(), len(all))
}

// Seconds is the median of the time for the runs, whether they exposed the bug or not.
func (all Tries) Seconds() float64 {
	if len(all) == 0 {
		return 0
	}
	var seconds []float64
	for _, t := range all {
		seconds = append(seconds, t.Seconds)
	}
	slices.Sort(seconds)
	return seconds[(len(seconds)-1)/2]
}

// Idioms counts what was forced when the test failed: "none: 1, 5: 2".
func (all Tries) Idioms() string {
	var count [7]int
	for _, t := range all {
		if t.Runs > 0 {
			count[t.Idiom]++
		}
	}
	text := ""
	for i, n := range count {
		name := fmt.Sprint(i)
		if i == 0 {
			name = "none"
		}
		switch {
		case n == 0:
			continue
		case text != "":
			text += ", "
		}
		text += fmt.Sprintf("%s: %d", name, n)
	}
	return text
}
