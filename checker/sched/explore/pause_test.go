package explore

import (
	"testing"
	"time"

	"mendel/checker/sched"
)

// TestPaused: a failure that needs time to pass is a matter of one goroutine's pace if it comes
// when that one pauses, and all others do what they can before.
func TestPaused(t *testing.T) {
	for _, test := range []struct {
		name            string
		body            func()
		fails, restless bool
	}{
		{"the test pauses", func() {
			late := timeOut(0, time.Second)
			if sched.SelectDefault(sched.From(late)) == 0 {
				sched.Fail("it is late")
			}
		}, true, false},
		{"another one is slow", func() {
			c := sched.MakeChan[int](1)
			sched.Go(func() { sched.Send(c, 1) })
			sched.Recv(timeOut(0, time.Second))
			if sched.SelectDefault(sched.From(c)) < 0 {
				sched.Fail("it is not there")
			}
		}, false, false},
		{"others come to rest before", func() {
			c, late := sched.MakeChan[int](0), timeOut(0, time.Second)
			sched.Go(func() { sched.Send(c, 1) })
			sched.Recv(c)
			if sched.SelectDefault(sched.From(late)) == 0 {
				sched.Fail("it is late")
			}
		}, true, false},
		{"another one never rests", func() {
			stop, late := false, timeOut(0, time.Second)
			sched.Go(func() {
				for !stop {
					sched.Yield()
				}
			})
			defer func() { stop = true }()
			if sched.SelectDefault(sched.From(late)) == 0 {
				sched.Fail("it is late")
			}
		}, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := Explore(nil, Search{Strategy: "random", Executions: 1000}, test.body)
			if err != nil || r.Verdict != Failed || r.Failures[0].Execution.Failure.Kind != sched.TestFailure {
				t.Fatal(r, err)
			}
			failing := r.Failures[0].Execution
			s := NewPaused(failing.Choices, 0)
			if !s.Begin() {
				t.Fatal("does not begin")
			}
			x := sched.Run(s, sched.Options{Trace: true, Start: failing.Start}, test.body)
			if fails := x.Failure != nil && x.Failure.Signature == failing.Failure.Signature; fails != test.fails || s.Restless() != test.restless {
				t.Errorf("%s, fails so: %t, want %t; restless: %t, want %t", outcome(x), fails, test.fails, s.Restless(), test.restless)
			}
		})
	}
}

// TestLenient: with lenience the time-outs of test files, this one is one, do not expire early.
func TestLenient(t *testing.T) {
	body := func() {
		c := sched.MakeChan[int](1)
		sched.Go(func() { sched.Send(c, 1) })
		if sched.Select(sched.From(c), sched.From(timeOut(0, time.Second))) == 1 {
			sched.Fail("timed out")
		}
	}
	for _, test := range []struct {
		o    sched.Options
		want Verdict
	}{
		{sched.Options{Guards: true}, Failed},
		{sched.Options{Guards: true, Lenient: true}, Exhausted},
	} {
		r, err := Explore(nil, Search{Strategy: "dfs", Preemptions: 3, Run: test.o}, body)
		if err != nil || r.Verdict != test.want {
			t.Errorf("lenient %t: %v, %v, want %s", test.o.Lenient, r, err, test.want)
		}
	}
}
