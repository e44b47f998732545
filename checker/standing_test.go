package checker

import (
	"slices"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
)

// Standing goroutines are named as the stacks of failures have them.
func TestStandingIsNamedAsFailures(t *testing.T) {
	for _, what := range []string{"channel receive", "channel send", "select", "time.Sleep", "Mutex.Lock", "Cond.Wait", "WaitGroup.Wait"} {
		name := role(evidence.Blocked, what) + " in pkg.(*Pool).work"
		if got := standing([]string{name}); !slices.Equal(got, []sched.Standing{{What: what, Function: "pkg.(*Pool).work"}}) {
			t.Errorf("%q is %v", name, got)
		}
	}
}
