package sched

import "testing"

// Who waits beside a goroutine that only looks, and for ever, is blocked.
func TestBlockedBesideSpinner(t *testing.T) {
	spin := func() {
		for {
			Yield()
		}
	}
	for _, c := range []struct {
		name string
		want string
		body func()
	}{
		{"the test", Deadlock, func() { Go(spin); Recv(MakeChan[int](0)) }},
		{"a goroutine", Blocked, func() { Go(spin); Go(func() { Recv(MakeChan[int](0)) }) }},
		{"nobody", "", func() { Go(spin) }},
		{"a test that counts", "", func() {
			done := MakeChan[int](0)
			Go(func() {
				for range stillSteps / 4 {
					Yield()
				}
				Close(done)
			})
			Recv(done)
		}},
	} {
		x := Run(NewGuided(nil), Options{Trace: true}, c.body)
		kind := ""
		if x.Failure != nil {
			kind = x.Failure.Kind
		}
		if kind != c.want || x.Steps > 2*stillSteps || len(x.Trace) > stillSteps+stillShown {
			t.Errorf("%s: %q after %d steps (%d in the trace), want %q", c.name, kind, x.Steps, len(x.Trace), c.want)
		}
		r := NewReplay(x.Choices)
		r.Begin()
		again := Run(r, Options{}, c.body)
		r.End(again)
		if how := r.Diverged(); how != "" || (again.Failure == nil) != (x.Failure == nil) {
			t.Errorf("%s: the replay: %s, %+v", c.name, how, again.Failure)
		}
	}
}
