package explore

import (
	"testing"
	"time"

	"mendel/checker/sched"
)

// A goroutine that reads the clock until it shows a later time goes on: nothing
// else lets time pass for it.
func TestPollingTheClockEnds(t *testing.T) {
	const wait = 250 * time.Millisecond
	var others int
	body := func() {
		done := sched.MakeChan[bool](0)
		sched.Go(func() {
			others++
			sched.Send(done, true)
		})
		for start := sched.Now(); sched.Now()-start < wait; {
			// Waits.
		}
		sched.Recv(done)
	}
	r, err := Explore(nil, Search{Strategy: "dfs", Preemptions: -1}, body)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != Passed || r.Reason == "" {
		t.Errorf("got %v: want passed with a reason, because the clock is read in a loop", r)
	}
	if others == 0 {
		t.Error("the other goroutine never ran")
	}
}

// When the clock is seen to have passed the time of a timer, the timer has fired.
func TestPollingLetsTimersFire(t *testing.T) {
	body := func() {
		var fired sched.Object
		ready := false
		sched.NewTimer(10*time.Millisecond, func() { ready = true })
		for start := sched.Now(); sched.Now()-start < time.Second; {
			sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &fired, Read: true, What: "load"})
			if ready {
				return
			}
		}
		sched.Fail("the clock passed the timer, which did not fire")
	}
	for _, strategy := range []string{"dfs", "random", "pct", "pos"} {
		r, err := Explore(nil, Search{Strategy: strategy, Executions: 20}, body)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != Passed && r.Verdict != Exhausted {
			t.Errorf("%s: %v", strategy, r)
		}
	}
}

// Programs that read the clock now and then see it stand still, as ever.
func TestClockStandsStill(t *testing.T) {
	body := func() {
		for range 20 {
			if sched.Now() != 0 {
				sched.Fail("time has passed")
			}
		}
	}
	r, err := Explore(nil, Search{Strategy: "dfs"}, body)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != Exhausted {
		t.Error(r)
	}
}
