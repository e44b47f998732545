package sched

import (
	"testing"
	"time"
)

// Who waits beside a goroutine that only looks, and for ever, is blocked.
func TestBlockedBesideSpinner(t *testing.T) {
	const stillSteps, stillShown = 20_000, 100 // looks until a program stands still, and of them in a trace
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

// A goroutine that the strategy keeps waiting may release others: nothing is known of
// them.
func TestStarvedBesideSpinner(t *testing.T) {
	look := func() {
		var o Object
		for {
			Do(Op{Kind: KindLoad, Obj: &o, Read: true, What: "look"})
		}
	}
	for name, body := range map[string]func(){
		"after the test": func() {
			c := MakeChan[int](0)
			Go(look)
			Go(func() { Recv(c) })
			Go(func() { Close(c) })
		},
		"in the test": func() {
			c := MakeChan[int](0)
			Go(look)
			Go(func() { Close(c) })
			Recv(c)
		},
	} {
		x := Run(starving{}, Options{Steps: 3 * stillSteps}, body)
		if x.Failure != nil && x.Failure.Kind != Timeout {
			t.Errorf("%s: %s after %d steps", name, x.Failure.Message, x.Steps)
		}
	}
}

// Who waits for a lock that a goroutine takes again and again is not blocked for ever.
func TestLockedBySpinner(t *testing.T) {
	var mu mutex
	x := Run(starving{}, Options{Steps: 3 * stillSteps}, func() {
		Go(func() {
			for {
				mu.lock()
				mu.unlock()
			}
		})
		Go(func() {
			mu.lock()
			mu.unlock()
		})
	})
	if x.Failure != nil && x.Failure.Kind != Timeout {
		t.Errorf("%s after %d steps", x.Failure.Message, x.Steps)
	}
}

// A goroutine spins if it goes on although everybody else has had a turn. One that the
// strategy keeps waiting may be about to stop it.
func TestStarvedIsNoSpin(t *testing.T) {
	var outer, inner mutex
	var o Object
	stop := false
	loop := func(works bool) func() {
		return func() {
			stop = false
			Go(func() {
				for !stop {
					outer.lock()
					inner.lock()
					if works {
						Do(Op{Kind: KindStore, What: "work"})
					}
					inner.unlock()
					outer.unlock()
				}
			})
			Go(func() {
				Do(Op{Kind: KindLoad, Obj: &o, Read: true, What: "look"})
				inner.lock()
				stop = true
				inner.unlock()
			})
		}
	}
	for _, works := range []bool{false, true} {
		for _, s := range []Strategy{starving{}, &lateStarving{from: 100}, &lateStarving{from: 600}} {
			x := Run(s, Options{Steps: 1000}, loop(works))
			if !x.Cut || x.Spins {
				t.Errorf("%+v keeps who would stop the loop waiting, works %t: cut %t, spins %t", s, works, x.Cut, x.Spins)
			}
		}
		s := newWander(1)
		x := Run(s, Options{Steps: 1000}, func() {
			loop(works)()
			Go(func() {
				for {
					outer.lock()
					outer.unlock()
				}
			})
		})
		if !x.Cut || !x.Spins {
			t.Errorf("the others had their turns, works %t: cut %t, spins %t", works, x.Cut, x.Spins)
		}
	}
}

// Time does not pass for a goroutine that waits in a loop while another could go on that
// the strategy has kept waiting: it is the other's turn.
func TestStarvedBesideWaiter(t *testing.T) {
	x := Run(NewGuided(nil), Options{}, func() {
		done, late := false, false
		var looks [6]Object
		NewTimer(time.Minute, func() { late = true })
		Go(func() { done = true })
		for !done && !late {
			for i := range looks {
				Do(Op{Kind: KindLoad, Obj: &looks[i], Read: true, What: "look"})
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

// starving is a strategy under which goroutine 1 goes on whenever goroutine 0 and the
// receiver cannot, and all others wait.
type starving struct{}

func (starving) Begin() bool    { return true }
func (starving) Choose(int) int { return 0 }
func (starving) End(*Execution) {}

func (starving) Next(enabled []Pending, _ int, _ bool) int {
	for _, g := range []int{0, 2, 1} {
		if i := Index(enabled, g); i >= 0 && (g != 2 || enabled[i].Kind == KindStart) {
			return i
		}
	}
	return 0
}

// lateStarving lets goroutine 2 make its first two steps later, and starves it then.
type lateStarving struct {
	starving
	from, step int
}

func (s *lateStarving) Next(enabled []Pending, _ int, _ bool) int {
	order := []int{0, 1}
	if s.step++; s.step == s.from || s.step == s.from+1 {
		order = []int{2, 0, 1}
	}
	for _, g := range order {
		if i := Index(enabled, g); i >= 0 {
			return i
		}
	}
	return 0
}

// One step in the time that is watched is not enough to know that a goroutine does no
// more than look: it may be about to release the others. By chance pos lets one of two
// that pass each other over wait for long.
func TestSeldomBesideSpinner(t *testing.T) {
	defer OneProcessor()() // as the driver
	body := func() {
		var mu mutex
		x := 0
		woken, done := MakeChan[int](1), MakeChan[int](0)
		until := func(was int, then func()) {
			for {
				mu.lock()
				if x >= was {
					then()
					mu.unlock()
					break
				}
				mu.unlock()
				Yield()
			}
			Send(done, 1)
		}
		Go(func() {
			mu.lock()
			x = 1
			mu.unlock()
			Recv(woken)
			until(0, func() { x = 3 })
		})
		Go(func() { until(1, func() { x = 2; Send(woken, 1) }) })
		Go(func() { until(3, func() {}) })
		for range 3 {
			Recv(done)
		}
	}
	for seed := range uint64(8) {
		s := newPOS(seed)
		for n := range 5000 {
			s.Begin()
			if x := Run(s, Options{}, body); x.Failure != nil && x.Failure.Kind != Timeout {
				t.Fatalf("seed %d, execution %d: %+v after %d steps", seed, n, x.Failure, x.Steps)
			}
		}
	}
}
