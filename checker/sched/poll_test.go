package sched

import (
	"testing"
	"time"
)

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
