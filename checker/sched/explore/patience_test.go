package explore

import (
	"testing"
	"time"

	"mendel/checker/sched"
)

// timeOut is a channel on which something comes after d, guarded by p; 0: not.
func timeOut(p sched.Patience, d time.Duration) chan int {
	c := sched.MakeChan[int](1)
	set := func(d time.Duration) *sched.Timer {
		return sched.NewTimerFor(sched.Sends(c), "time-out", d, func() { sched.SelectDefault(sched.To(c).Case(1)) })
	}
	if p == 0 {
		set(d)
	} else {
		sched.Guard1(p, set, d)
	}
	return c
}

// TestGuards: a test's patience ends when nothing else can go on, and what is blocked then
// is the failure, if the test would fail.
func TestGuards(t *testing.T) {
	sender := func() chan int {
		c := sched.MakeChan[int](1)
		sched.Go(func() { sched.Send(c, 1) })
		return c
	}
	for _, test := range []struct {
		name string
		body func()
		want Verdict
		kind string
	}{
		{"it never ends early", func() {
			if sched.Select(sched.From(sender()), sched.From(timeOut(sched.Fails, time.Millisecond))) == 1 {
				sched.Fail("timed out")
			}
		}, Exhausted, ""},
		{"another time-out does", func() {
			if sched.Select(sched.From(sender()), sched.From(timeOut(0, time.Hour))) == 1 {
				sched.Fail("timed out")
			}
		}, Failed, sched.TestFailure},
		{"nor because a longer time-out does", func() {
			c := sender()
			long := timeOut(0, time.Hour)
			sched.Go(func() { sched.Recv(long) })
			if sched.Select(sched.From(c), sched.From(timeOut(sched.Fails, time.Second))) == 1 {
				sched.Fail("timed out")
			}
		}, Exhausted, ""},
		{"a longer time-out of the product ends early all the same", func() {
			guard, c := timeOut(sched.Fails, time.Second), sender()
			if sched.Select(sched.From(c), sched.From(timeOut(0, time.Hour)), sched.From(guard)) == 1 {
				sched.Fail("the product gave up")
			}
		}, Failed, sched.TestFailure},
		{"what is blocked is the failure", func() {
			never := sched.MakeChan[int](0)
			if sched.Select(sched.From(never), sched.From(timeOut(sched.Fails, time.Second))) == 1 {
				sched.Fail("timed out")
			}
		}, Failed, sched.Deadlock},
		{"unless the test goes on", func() {
			never := sched.MakeChan[int](0)
			sched.Select(sched.From(never), sched.From(timeOut(sched.Gives, time.Second)))
		}, Exhausted, ""},
		{"it does not wait for a later time-out", func() {
			c := sched.MakeChan[int](1)
			sched.Go(func() {
				sched.Recv(timeOut(0, 2*time.Second))
				sched.Send(c, 1)
			})
			if sched.Select(sched.From(c), sched.From(timeOut(sched.Fails, time.Second))) == 1 {
				sched.Fail("timed out")
			}
		}, Failed, sched.TestFailure},
		{"it waits for a later tick", func() {
			c := sched.MakeChan[int](1)
			send := func() { sched.SelectDefault(sched.To(c).Case(1)) }
			sched.NewTimer(time.Millisecond, func() { sched.NewTimer(2*time.Second, send) })
			if sched.Select(sched.From(c), sched.From(timeOut(sched.Fails, time.Second))) == 1 {
				sched.Fail("timed out")
			}
		}, Exhausted, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, strategy := range []string{"dfs", "auto"} {
				r, err := Explore(nil, Search{Strategy: strategy, Preemptions: 3, Run: sched.Options{Guards: true}}, test.body)
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
				for _, o := range []sched.Options{{}, {Guards: true}, {Patience: -1}} {
					again, differs := replay(func(s sched.Strategy, o sched.Options) *sched.Execution { return sched.Run(s, o, test.body) }, o, x.Choices)
					if differs != "" || again.Failure == nil || again.Failure.Kind != test.kind {
						t.Errorf("%s, replayed with %+v: %s, %s", strategy, o, outcome(again), differs)
					}
				}
			}
		})
	}
}
