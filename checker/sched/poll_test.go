package sched

import (
	"testing"
	"time"
)

// A goroutine that reads the clock until it shows a later time goes on: nothing
// else lets time pass for it.
func TestPollingTheClockEnds(t *testing.T) {
	const wait = 250 * time.Millisecond
	var others int
	body := func() {
		done := MakeChan[bool](0)
		Go(func() {
			others++
			Send(done, true)
		})
		for start := Now(); Now()-start < wait; {
			// Waits.
		}
		Recv(done)
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
		var fired Object
		ready := false
		NewTimer(10*time.Millisecond, func() { ready = true })
		for start := Now(); Now()-start < time.Second; {
			Do(Op{Kind: KindLoad, Obj: &fired, Read: true, What: "load"})
			if ready {
				return
			}
		}
		Fail("the clock passed the timer, which did not fire")
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
			if Now() != 0 {
				Fail("time has passed")
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

// Who takes the time of each of many things does not wait for it to pass: no time-out is due meanwhile.
func TestStampingManyThings(t *testing.T) {
	x := run(func() {
		expired := false
		NewTimer(time.Second, func() { expired = true })
		var stamped time.Duration
		var o Object
		for range 3000 {
			stamped = Now()
			Do(Op{Kind: KindStore, Obj: &o, What: "store"})
		}
		if expired || stamped > 0 {
			Fail("time has passed")
		}
	})
	expect(t, x, "", "")
}

// A long loop that looks at one thing after the other does not wait for time to pass.
func TestLookingAtManyThings(t *testing.T) {
	x := run(func() {
		var expired bool
		NewTimer(1, func() { expired = true })
		for range 3 * quietSteps {
			c := MakeChan[int](1)
			To(c).Send(1)
			Recv(c)
		}
		all := make([]chan int, 2*quietSteps)
		for i := range all {
			all[i] = MakeChan[int](0)
			Close(all[i])
		}
		for _, c := range all {
			Recv(c)
		}
		if expired {
			Fail("time has passed")
		}
	})
	expect(t, x, "", "")
}

// One that looks at the same things again and again does.
func TestLookingAtTheSameThings(t *testing.T) {
	x := run(func() {
		var expired bool
		NewTimer(1, func() { expired = true })
		all := make([]chan int, 3)
		for i := range all {
			all[i] = MakeChan[int](0)
			Close(all[i])
		}
		for i := 0; !expired; i++ {
			Recv(all[i%len(all)])
		}
	})
	expect(t, x, "", "")
}
