package sched

import (
	"testing"
	"time"
)

// timeOut is a channel on which something comes after d, guarded by p; 0: not.
func timeOut(p Patience, d time.Duration) chan int {
	c := MakeChan[int](1)
	set := func(d time.Duration) *Timer {
		return NewTimerFor(Sends(c), "time-out", d, func() { SelectDefault(To(c).Case(1)) })
	}
	if p == 0 {
		set(d)
	} else {
		Guard1(p, set, d)
	}
	return c
}

// TestGuards: a test's patience ends when nothing else can go on, and what is blocked then
// is the failure, if the test would fail.
func TestGuards(t *testing.T) {
	sender := func() chan int {
		c := MakeChan[int](1)
		Go(func() { Send(c, 1) })
		return c
	}
	for _, test := range []struct {
		name string
		body func()
		want Verdict
		kind string
	}{
		{"it never ends early", func() {
			if Select(From(sender()), From(timeOut(Fails, time.Millisecond))) == 1 {
				Fail("timed out")
			}
		}, Exhausted, ""},
		{"another time-out does", func() {
			if Select(From(sender()), From(timeOut(0, time.Hour))) == 1 {
				Fail("timed out")
			}
		}, Failed, TestFailure},
		{"nor because a longer time-out does", func() {
			c := sender()
			long := timeOut(0, time.Hour)
			Go(func() { Recv(long) })
			if Select(From(c), From(timeOut(Fails, time.Second))) == 1 {
				Fail("timed out")
			}
		}, Exhausted, ""},
		{"a longer time-out of the product ends early all the same", func() {
			guard, c := timeOut(Fails, time.Second), sender()
			if Select(From(c), From(timeOut(0, time.Hour)), From(guard)) == 1 {
				Fail("the product gave up")
			}
		}, Failed, TestFailure},
		{"what is blocked is the failure", func() {
			never := MakeChan[int](0)
			if Select(From(never), From(timeOut(Fails, time.Second))) == 1 {
				Fail("timed out")
			}
		}, Failed, Deadlock},
		{"unless the test goes on", func() {
			never := MakeChan[int](0)
			Select(From(never), From(timeOut(Gives, time.Second)))
		}, Exhausted, ""},
		{"it does not wait for a later time-out", func() {
			c := MakeChan[int](1)
			Go(func() {
				Recv(timeOut(0, 2*time.Second))
				Send(c, 1)
			})
			if Select(From(c), From(timeOut(Fails, time.Second))) == 1 {
				Fail("timed out")
			}
		}, Failed, TestFailure},
		{"it waits for a later tick", func() {
			c := MakeChan[int](1)
			send := func() { SelectDefault(To(c).Case(1)) }
			NewTimer(time.Millisecond, func() { NewTimer(2*time.Second, send) })
			if Select(From(c), From(timeOut(Fails, time.Second))) == 1 {
				Fail("timed out")
			}
		}, Exhausted, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, strategy := range []string{"dfs", "auto"} {
				r, err := Explore(nil, Search{Strategy: strategy, Preemptions: 3, Run: Options{Guards: true}}, test.body)
				if err != nil || r.Verdict != test.want {
					t.Fatalf("%s: %v, %v, want %s", strategy, r, err, test.want)
				}
				if test.kind == "" {
					continue
				}
				x := r.Failures[0].Execution
				if x.Failure.Kind != test.kind {
					t.Errorf("%s: %s, want %s: %s", strategy, x.Failure.Kind, test.kind, x.Failure.Message)
				}
				// A recorded schedule says that there were guards.
				for _, o := range []Options{{}, {Guards: true}, {Patience: -1}} {
					again, differs := replay(func(s Strategy, o Options) *Execution { return Run(s, o, test.body) }, o, x.Choices)
					if differs != "" || again.Failure == nil || again.Failure.Kind != test.kind {
						t.Errorf("%s, replayed with %+v: %s, %s", strategy, o, outcome(again), differs)
					}
				}
			}
		})
	}
}
