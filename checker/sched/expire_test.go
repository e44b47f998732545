package sched

import (
	"testing"
	"time"
)

// Goroutines that wait for a timer in a loop let time pass.
func TestStalledGoroutines(t *testing.T) {
	body := func() {
		var flag Object
		set := false
		NewTimer(time.Hour, func() { set = true })
		for Do(Op{Kind: KindLoad, Obj: &flag, Read: true}); !set; Do(Op{Kind: KindLoad, Obj: &flag, Read: true}) {
			Yield()
		}
	}
	x := run(body)
	if x.Failure != nil || x.Steps > 2*quietSteps || x.Early != 0 {
		t.Errorf("%+v in %d steps, %d early", x.Failure, x.Steps, x.Early)
	}
}
