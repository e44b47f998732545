package sched

import "testing"

// A goroutine that the program leaves waiting in any case is no failure; another one beside
// it is, and so is the same one where it waits in another operation.
func TestStanding(t *testing.T) {
	idle := func(c chan int) { Recv(c) }
	body := func(also func(c chan int)) func() {
		return func() {
			c := MakeChan[int](0)
			Go(func() { idle(c) })
			if also != nil {
				Go(func() { also(c) })
			}
		}
	}
	x := Run(first{}, Options{}, body(nil))
	if x.Failure == nil || x.Failure.Kind != Blocked {
		t.Fatalf("%+v", x.Failure)
	}
	p := x.Failure.Places[0]
	in := p.Function
	if len(p.Stack) > 0 {
		in = p.Stack[0].Function
	}
	standing := []Standing{{p.What, in}}
	if x := Run(first{}, Options{Standing: standing}, body(nil)); x.Failure != nil {
		t.Errorf("it counts: %+v", x.Failure)
	}
	other := []Standing{{"channel send", in}}
	if x := Run(first{}, Options{Standing: other}, body(nil)); x.Failure == nil {
		t.Error("another operation of the function does not count")
	}
	x = Run(first{}, Options{Standing: standing}, body(func(chan int) {
		var m mutex
		m.lock()
		m.lock()
	}))
	if x.Failure == nil || x.Failure.Kind != Blocked || len(x.Failure.Places) != 1 || x.Failure.Places[0].What != "mu.Lock" {
		t.Errorf("beside it: %+v", x.Failure)
	}
}
