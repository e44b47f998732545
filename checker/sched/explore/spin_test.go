package explore

import (
	"testing"
	"time"

	"mendel/checker/sched"
)

// Who waits beside a goroutine that only looks, and for ever, is blocked.
func TestBlockedBesideSpinner(t *testing.T) {
	const stillSteps, stillShown = 20_000, 100 // looks until a program stands still, and of them in a trace
	spin := func() {
		for {
			sched.Yield()
		}
	}
	for _, c := range []struct {
		name string
		want string
		body func()
	}{
		{"the test", sched.Deadlock, func() { sched.Go(spin); sched.Recv(sched.MakeChan[int](0)) }},
		{"a goroutine", sched.Blocked, func() { sched.Go(spin); sched.Go(func() { sched.Recv(sched.MakeChan[int](0)) }) }},
		{"nobody", "", func() { sched.Go(spin) }},
		{"a test that counts", "", func() {
			done := sched.MakeChan[int](0)
			sched.Go(func() {
				for range stillSteps / 4 {
					sched.Yield()
				}
				sched.Close(done)
			})
			sched.Recv(done)
		}},
	} {
		x := sched.Run(NewGuided(nil), sched.Options{Trace: true}, c.body)
		kind := ""
		if x.Failure != nil {
			kind = x.Failure.Kind
		}
		if kind != c.want || x.Steps > 2*stillSteps || len(x.Trace) > stillSteps+stillShown {
			t.Errorf("%s: %q after %d steps (%d in the trace), want %q", c.name, kind, x.Steps, len(x.Trace), c.want)
		}
		r := NewReplay(x.Choices)
		r.Begin()
		again := sched.Run(r, sched.Options{}, c.body)
		r.End(again)
		if how := r.Diverged(); how != "" || (again.Failure == nil) != (x.Failure == nil) {
			t.Errorf("%s: the replay: %s, %+v", c.name, how, again.Failure)
		}
	}
}

// Time does not pass for a goroutine that waits in a loop while another could go on that
// the strategy has kept waiting: it is the other's turn.
func TestStarvedBesideWaiter(t *testing.T) {
	x := sched.Run(NewGuided(nil), sched.Options{}, func() {
		done, late := false, false
		var looks [6]sched.Object
		sched.NewTimer(time.Minute, func() { late = true })
		sched.Go(func() { done = true })
		for !done && !late {
			for i := range looks {
				sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &looks[i], Read: true, What: "look"})
			}
		}
		if late {
			t.Errorf("the time is over although a goroutine could go on")
		}
	})
	if x.Failure != nil || x.Early > 0 {
		t.Errorf("%v, %d timers early", x.Failure, x.Early)
	}
}

// One step in the time that is watched is not enough to know that a goroutine does no
// more than look: it may be about to release the others. By chance pos lets one of two
// that pass each other over wait for long.
func TestSeldomBesideSpinner(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	body := func() {
		var mu mutex
		x := 0
		woken, done := sched.MakeChan[int](1), sched.MakeChan[int](0)
		until := func(was int, then func()) {
			for {
				mu.lock()
				if x >= was {
					then()
					mu.unlock()
					break
				}
				mu.unlock()
				sched.Yield()
			}
			sched.Send(done, 1)
		}
		sched.Go(func() {
			mu.lock()
			x = 1
			mu.unlock()
			sched.Recv(woken)
			until(0, func() { x = 3 })
		})
		sched.Go(func() { until(1, func() { x = 2; sched.Send(woken, 1) }) })
		sched.Go(func() { until(3, func() {}) })
		for range 3 {
			sched.Recv(done)
		}
	}
	for seed := range uint64(8) {
		s := newPOS(seed)
		for n := range 5000 {
			s.Begin()
			if x := sched.Run(s, sched.Options{}, body); x.Failure != nil && x.Failure.Kind != sched.Timeout {
				t.Fatalf("seed %d, execution %d: %+v after %d steps", seed, n, x.Failure, x.Steps)
			}
		}
	}
}
