package zoo

import (
	"sync"
	"testing"
	"time"
)

func TestLostUpdate(t *testing.T) {
	c := &counter{}
	both(c.add, c.add)
	if c.get() != 2 {
		t.Errorf("%d", c.get())
	}
}

func TestCheckThenAct(t *testing.T) {
	p := &pool{free: 1}
	both(p.take, p.take)
	if p.out > 1 {
		t.Errorf("%d taken", p.out)
	}
}

func TestPublication(t *testing.T) {
	h := &holder{}
	both(h.publish, func() { h.look() })
}

func TestCaptured(t *testing.T) { capture() }

func TestMissingLock(t *testing.T) {
	g := &gauge{}
	both(g.raise, g.reset)
	both(g.raise, func() { g.get() })
}

func TestWrongLock(t *testing.T) {
	m := &meter{}
	both(func() { m.raise(); m.get() }, m.reset)
}

func TestInversion(t *testing.T) {
	p := &pair{}
	both(p.forth, p.back)
}

func TestSelfDeadlock(t *testing.T) {
	a := &again{}
	both(a.double, func() {})
}

func TestNotReleased(t *testing.T) {
	e := &early{n: 1}
	both(e.take, e.take)
	both(e.take, e.take)
}

func TestMissedSignal(t *testing.T) {
	m := &mailbox{}
	m.cond = sync.NewCond(&m.mu)
	both(m.post, m.wait)
}

func TestSender(t *testing.T) {
	stop := make(chan struct{}, 1)
	stop <- struct{}{}
	ask(stop)
}

func TestSlots(t *testing.T) {
	p := &pond{room: make(chan struct{}, 2)}
	stop := make(chan int)
	both(func() { p.swim(1, stop) }, func() { close(stop) })
}

func TestReceiver(t *testing.T) { collect(&counter{}) }

func TestCloseDuringSend(t *testing.T) { feed() }

func TestDoubleClose(t *testing.T) {
	d := &door{open: true, c: make(chan int)}
	both(d.shut, d.shut)
}

func TestInconsistent(t *testing.T) {
	a := &account{left: 5}
	both(a.move, func() {
		if first, second := a.getTwice(); first != second {
			t.Errorf("%d, then %d", first, second)
		}
	})
}

func TestHoldingLock(t *testing.T) {
	q := &queue{c: make(chan int)}
	both(q.put, q.take)
}

func TestNotDone(t *testing.T) {
	c := &crew{}
	c.hire()
	c.rest()
	c.wg.Wait()
}

func TestTooMany(t *testing.T) {
	c := &crew{}
	c.overbook()
	c.wg.Wait()
}

func TestNotAwaited(t *testing.T) {
	b := &batch{}
	b.start(1)
	b.start(2)
	if n := len(b.finish()); n != 2 {
		t.Errorf("%d sums", n)
	}
}

func TestUnlockedCall(t *testing.T) {
	s := &stock{items: map[string]int{}}
	both(func() { s.add("a") }, func() { s.remove("b") })
	both(func() { s.add("c") }, func() { s.add("d") })
}

func TestCopied(t *testing.T) {
	l := &ledger{}
	both(func() { l.book(2) }, func() { l.total() })
}

func TestFull(t *testing.T) {
	l := newLimiter(2)
	var first, second bool
	both(func() { first = l.try() }, func() { second = l.try() })
	if !first || !second {
		t.Error("a slot is free, and not given")
	}
}

func TestSwitched(t *testing.T) {
	l := &lights{}
	var north, east bool
	both(func() { north = l.goNorth() }, func() { east = l.goEast() })
	if north && east {
		t.Error("both go")
	}
}

func TestCallers(t *testing.T) {
	s := &Shared{}
	s.Put("a")
	both(func() { s.Put("b") }, func() { s.Empty() })
	both(func() { s.First() }, func() { s.First() })
}

// The test notices that nothing goes on, and who does not let it has returned long ago.
func TestTimedOut(t *testing.T) {
	r := &registry{closed: true}
	if err := r.add(); err == nil {
		t.Error("added to what is closed")
	}
	done := make(chan error, 1)
	go func() { done <- r.add() }()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("no answer")
	}
}

func TestLeftLocked(t *testing.T) {
	p := &depot{}
	both(func() { p.take() }, p.give)
}

func TestReported(t *testing.T) {
	in, out := make(chan int), make(chan int)
	go stage(in, out)
	done := make(chan bool)
	go func() {
		for _, v := range []int{1, 2, 3} {
			in <- v
		}
		close(in)
		done <- true
	}()
	<-out
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("the stage does not end")
	}
}

func TestBell(t *testing.T) {
	b := newBell()
	go b.put()
	b.take()
}
