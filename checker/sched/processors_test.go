package sched

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestOneProcessor(t *testing.T) {
	outside := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(outside)
	runtime.GOMAXPROCS(3)
	if got := GOMAXPROCS(0); got != 3 {
		t.Errorf("GOMAXPROCS tells %d at first, want 3", got)
	}
	restore := OneProcessor()
	for _, step := range []struct{ n, want int }{{0, 3}, {-1, 3}, {5, 3}, {0, 5}, {2, 5}, {2, 2}} {
		if got := GOMAXPROCS(step.n); got != step.want {
			t.Errorf("GOMAXPROCS(%d) = %d, want %d", step.n, got, step.want)
		}
		if got := runtime.GOMAXPROCS(0); got != 1 {
			t.Fatalf("there are %d processors", got)
		}
	}
	restore()
	if got := GOMAXPROCS(0); got != 3 {
		t.Errorf("GOMAXPROCS tells %d afterwards, want 3", got)
	}
}

// A goroutine that keeps the only processor to itself is noticed all the same.
func TestSupervisedOnOneProcessor(t *testing.T) {
	defer OneProcessor()()
	var enough atomic.Bool
	x := Run(first{}, Options{StepTime: 50 * time.Millisecond}, func() {
		for !enough.Load() {
		}
	})
	enough.Store(true)
	if x.Failure == nil || x.Failure.Kind != Uncontrolled || !strings.Contains(x.Failure.Message, "still running") {
		t.Errorf("got %+v", x.Failure)
	}
}
