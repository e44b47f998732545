package sched

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestTeardownDeferredCallsCannotWait(t *testing.T) {
	before := runtime.NumGoroutine()
	var trace []string
	x := run(func() {
		var m, free mutex
		defer func() { trace = append(trace, "outermost") }()
		defer func() {
			m.lock() // cannot be had any more: leaves
			trace = append(trace, "impossible")
		}()
		defer func() {
			free.lock() // can
			trace = append(trace, "free")
			Go(func() { trace = append(trace, "started") })
			if Choose(3) != 0 {
				trace = append(trace, "chose")
			}
		}()
		m.lock()
		m.lock()
	})
	expect(t, x, Deadlock, "main")
	if got := strings.Join(trace, " "); got != "free outermost" {
		t.Errorf("deferred calls: %q", got)
	}
	x = run(func() {
		defer func() {
			for {
				Yield() // waits for another goroutine in vain
			}
		}()
		defer func() { panic("during teardown") }()
		Fail("failed")
	})
	expect(t, x, TestFailure, "failed")
	waitForGoroutines(t, before)
}

func TestLeaving(t *testing.T) {
	var normal, leaving bool
	run(func() {
		Go(func() {
			defer func() { leaving = Leaving() }()
			Recv(MakeChan[int](0))
		})
		Yield()
		normal = Leaving()
	})
	if normal || !leaving || Leaving() {
		t.Errorf("leaving: %v in the body, %v when torn down, %v outside", normal, leaving, Leaving())
	}
}

func TestNeverStartedGoroutinesAreDropped(t *testing.T) {
	before := runtime.NumGoroutine()
	x := run(func() {
		for range 5 {
			Go(func() { panic("started") })
		}
		Fail("enough")
	})
	expect(t, x, TestFailure, "enough")
	waitForGoroutines(t, before)
}

func TestUncontrolledBlocking(t *testing.T) {
	before := runtime.NumGoroutine()
	block := make(chan int)
	for range 3 { // the second execution must not meet remains of the first
		var ran bool
		x := Run(first{}, Options{StepTime: 50 * time.Millisecond}, func() {
			var m mutex
			defer func() { m.lock() }()
			Go(func() { ran = true })
			<-block
			m.lock()
			panic("went on")
		})
		expect(t, x, Uncontrolled, "TestUncontrolledBlocking")
		expect(t, x, Uncontrolled, "blocked in code")
		if !ran {
			t.Error("the other goroutine did not go on meanwhile")
		}
	}
	close(block)
	waitForGoroutines(t, before)
	expect(t, run(func() { Yield() }), "", "")
}

func TestUncontrolledBlockingDuringTeardown(t *testing.T) {
	before := runtime.NumGoroutine()
	block := make(chan int)
	x := Run(first{}, Options{StepTime: 50 * time.Millisecond}, func() {
		Go(func() {
			var m mutex
			defer func() { <-block }()
			m.lock()
			m.lock()
		})
		var c chan int
		Recv(c)
	})
	expect(t, x, Deadlock, "") // the verdict is older
	close(block)
	waitForGoroutines(t, before)
}

// The goroutine that runs finalizers must not be ended with the execution.
func TestFinalizerIsUncontrolled(t *testing.T) {
	x := run(func() {
		m, done := new(mutex), make(chan bool)
		runtime.SetFinalizer(&[64]int{}, func(*[64]int) {
			m.lock()
			close(done)
		})
		for ended := false; !ended; {
			runtime.GC()
			select {
			case <-done:
				ended = true
			default:
			}
		}
		Yield()
	})
	expect(t, x, Uncontrolled, "mu.Lock in a goroutine that was started by code that is not under control")
}

func TestTeardownWithdrawsFromChannels(t *testing.T) {
	var got []int
	x := run(func() {
		a, b := MakeChan[*int](0), MakeChan[int](0)
		Go(func() { // torn down last but one: must not meet the case on a
			defer func() { Select(To(a).Case(new(int))) }()
			Recv((chan int)(nil))
		})
		Go(func() {
			defer func() { Select(From(b)) }()
			r := From(a)
			Select(r)
			got = append(got, *r.V)
		})
		Recv((chan int)(nil))
	})
	expect(t, x, Deadlock, "main")
	if len(got) != 0 {
		t.Errorf("went on: %v", got)
	}
}

func TestClearedMarkIsUncontrolled(t *testing.T) {
	x := run(func() {
		debug.SetPanicOnFault(false)
		Yield()
	})
	expect(t, x, Uncontrolled, "yield in a goroutine")
}

func TestMarkIsNotInherited(t *testing.T) {
	mark()
	inherited := make(chan bool)
	go func() { inherited <- marked() }()
	if <-inherited || !marked() {
		t.Error("marks are not kept for each goroutine")
	}
	debug.SetPanicOnFault(false)
	for range 2 {
		if marked() {
			t.Error("a goroutine that is not marked, or marked by asking")
		}
	}
	if n := own(); n == "" || number([]byte("goroutine "+n+" [running]:\nmain.main()")) != n || number([]byte("x")) != "" {
		t.Errorf("number %q", n)
	}
}
