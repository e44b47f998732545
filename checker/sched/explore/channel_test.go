package explore

import (
	"testing"

	"mendel/checker/sched"
)

// A channel that only signals may be made with room for more than fits into
// memory, and the clocks of its elements grow with what is sent.
func TestHugeCapacity(t *testing.T) {
	const manySlots = 1 << 10 // elements that a buffer has room for from the start
	r, err := Explore(nil, Search{Strategy: "dfs"}, func() {
		c := sched.MakeChan[struct{}](1 << 34)
		for range manySlots + 2 {
			sched.To(c).Send(struct{}{})
		}
		n := new(int)
		sched.Go(func() {
			*sched.W(n) = 1
			sched.To(c).Send(struct{}{})
		})
		for range manySlots + 3 {
			sched.Recv(c)
		}
		*sched.W(n) = 2
	})
	if err != nil || r.Verdict != Exhausted {
		t.Errorf("%v %+v", err, r)
	}
}

// A channel with room for more values than memory has takes what is sent.
func TestHugeBuffer(t *testing.T) {
	const manySlots = 1 << 10 // elements that a buffer has room for from the start
	r, err := Explore(nil, Search{Strategy: "random", Executions: 3}, func() {
		c := sched.MakeChan[int](1 << 40)
		sched.Go(func() {
			for i := range 3 * manySlots {
				sched.To(c).Send(i)
			}
		})
		for i := range 3 * manySlots {
			if sched.Recv(c) != i {
				sched.Fail("another value")
			}
		}
		if sched.Cap(c) != 1<<40 || sched.To(c).Cap() != 1<<40 {
			sched.Fail("another capacity")
		}
	})
	if err != nil || len(r.Failures) > 0 || r.Executions == 0 {
		t.Errorf("%v %+v", err, r)
	}
}

// What is too much for make panics as make does.
func TestImpossibleCapacity(t *testing.T) {
	r, err := Explore(nil, Search{Strategy: "dfs"}, func() { sched.MakeChan[int](1 << 60) })
	if err != nil || r.Verdict != Failed || r.Failures[0].Execution.Failure.Kind != sched.Panic {
		t.Errorf("%v %+v", err, r)
	}
}
