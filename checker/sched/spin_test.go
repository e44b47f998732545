package sched

import "testing"

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
