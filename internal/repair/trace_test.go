package repair

import (
	"testing"
	"time"
)

// What is shown of a fix costs little beside finding it.
func TestTraceLimit(t *testing.T) {
	for _, test := range []struct {
		worked float64
		want   time.Duration
	}{
		{0, leastTrace},
		{10, leastTrace},
		{300, 15 * time.Second},
		{3600, traceTime},
	} {
		if got := traceLimit(test.worked); got != test.want {
			t.Errorf("after %v s of work tracing may take %v, want %v", test.worked, got, test.want)
		}
	}
}
