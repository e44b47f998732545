package sched

import (
	"strings"
	"testing"
)

// TestManyBlocked lists a few of the goroutines that wait at one place.
func TestManyBlocked(t *testing.T) {
	x := Run(first{}, Options{}, func() {
		c := MakeChan[int](0)
		for range 10 {
			Go(func() { Recv(c) })
		}
		Go(func() { new(mutex).lock(); Recv(c) })
	})
	f := x.Failure
	if f == nil || f.Kind != Blocked || len(f.Places) != alike+1 || !strings.Contains(f.Message, "and 7 more") {
		t.Errorf("%+v", f)
	}
}

// A step that takes long can be stopped while it accesses memory.
func TestStoppedInStep(t *testing.T) {
	s := newWander(1)
	asked, deferred := 0, false
	stop := func() bool { asked++; return asked == 3 }
	x := Run(s, Options{Stop: stop}, func() {
		defer func() { deferred = true }()
		for n := new(int); ; {
			*RW(n)++
		}
	})
	if !x.Stopped || !x.Abandoned || x.Failure != nil || asked != 3 || !deferred {
		t.Errorf("stopped: %v, asked %d times, %v", x.Stopped, asked, x.Failure)
	}
	s.End(x)
}
