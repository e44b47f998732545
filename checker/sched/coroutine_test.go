package sched

import (
	"slices"
	"testing"
)

// The operations of a sequence are steps of who pulls, to its end or not.
func TestIterPull(t *testing.T) {
	numbers := func(yield func(int) bool) {
		defer Yield()
		for i := range 3 {
			Yield()
			if !yield(i) {
				return
			}
		}
	}
	for name, test := range map[string]struct {
		calls int
		stops bool
	}{"to the end": {4, false}, "stopped": {2, true}, "abandoned": {2, false}, "not begun": {0, true}} {
		var got []int
		x := run(func() {
			got = nil
			next, stop := IterPull(numbers)
			for range test.calls {
				if v, ok := next(); ok {
					got = append(got, v)
				}
			}
			if test.stops {
				stop()
			}
		})
		if x.Failure != nil || !slices.Equal(got, []int{0, 1, 2}[:min(test.calls, 3)]) {
			t.Errorf("%s: %v, failure %v", name, got, x.Failure)
		}
	}
}
