package sync_test

import (
	"fmt"
	"runtime"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/sync"
)

func TestWaitGroup(t *testing.T) {
	check(t, func() string {
		var wg sync.WaitGroup
		n := make([]int, 2)
		wg.Add(2)
		for i := range n {
			sched.Go(func() {
				defer wg.Done()
				*sched.W(&n[i]) = 1
			})
		}
		wg.Wait() // makes the edges
		return fmt.Sprint(*sched.R(&n[0]) + *sched.R(&n[1]))
	}, "2")
}

func TestWaitGroupGo(t *testing.T) {
	check(t, func() string {
		var wg sync.WaitGroup
		n := new(int)
		wg.Go(func() { *sched.W(n) = 1 })
		wg.Go(runtime.Goexit)
		wg.Wait()
		return fmt.Sprint(*sched.R(n))
	}, "1")
	check(t, func() string {
		var wg sync.WaitGroup
		wg.Go(func() { panic("oops") })
		wg.Wait()
		return "went on"
	}, "panic: panic: oops")
}

func TestWaitGroupMisuse(t *testing.T) {
	check(t, func() string {
		var wg sync.WaitGroup
		wg.Done()
		return "went on"
	}, "panic: panic: sync: negative WaitGroup counter")
	check(t, func() string {
		var wg sync.WaitGroup
		wg.Add(1)
		wg.Wait()
		return "went on"
	}, "deadlock")
	check(t, func() string {
		// Add in the goroutine that is waited for: Wait may come first.
		var wg sync.WaitGroup
		sched.Go(func() {
			wg.Add(1)
			wg.Done()
		})
		wg.Wait()
		return "ok"
	}, "ok", "race")
	check(t, func() string {
		// Used again by one who was woken before the other has returned.
		var wg sync.WaitGroup
		var mu sync.Mutex
		wg.Add(1)
		f := func() {
			wg.Wait()
			mu.Lock() // so that the two Adds are no race
			wg.Add(1)
			wg.Done()
			mu.Unlock()
		}
		done := sched.MakeChan[bool](2)
		for range 2 {
			sched.Go(func() { f(); sched.Send(done, true) })
		}
		sched.Go(wg.Done)
		sched.Recv(done)
		sched.Recv(done)
		return "ok"
	}, "ok", "race", "panic: panic: sync: WaitGroup is reused before previous Wait has returned")
}

func TestOnce(t *testing.T) {
	check(t, func() string {
		var once sync.Once
		n := new(int)
		seen := make([]int, 2)
		call := func(i int) func() {
			return func() {
				once.Do(func() { sched.Yield(); *sched.RW(n)++ })
				seen[i] = *sched.R(n)
			}
		}
		together(call(0), call(1))
		return fmt.Sprint(seen)
	}, "[1 1]")
}

func TestOncePanicsAndGoexit(t *testing.T) {
	check(t, func() string {
		var once sync.Once
		calls := 0
		do := func(f func()) {
			defer func() { recover() }()
			once.Do(func() { calls++; f() })
		}
		do(func() { panic("x") })
		do(func() {})
		return fmt.Sprint(calls)
	}, "1")
	check(t, func() string {
		var once sync.Once
		together2(func() { once.Do(runtime.Goexit) }, func() { once.Do(func() {}) })
		return "done"
	}, "done")
	check(t, func() string {
		var once sync.Once
		once.Do(func() { once.Do(func() {}) })
		return "done"
	}, "deadlock")
}

// together2 is together for functions that may end their goroutine.
func together2(functions ...func()) {
	done := sched.MakeChan[bool](len(functions))
	for _, f := range functions {
		sched.Go(func() {
			defer sched.Send(done, true)
			f()
		})
	}
	for range functions {
		sched.Recv(done)
	}
}

func TestOnceDoneOutsideControlStaysDone(t *testing.T) {
	var once, fresh sync.Once
	calls := 0
	once.Do(func() { calls++ })
	for range 2 { // executions
		check(t, func() string {
			calls = 1
			once.Do(func() { calls++ })
			fresh.Do(func() { calls += 10 })
			return fmt.Sprint(calls)
		}, "11")
	}
	once = sync.Once{}
	check(t, func() string {
		calls = 0
		once.Do(func() { calls++ })
		return fmt.Sprint(calls)
	}, "1")
}

func TestOnceFunctions(t *testing.T) {
	for _, controlled := range []bool{true, false} {
		body := func() string {
			calls := 0
			f := sync.OnceFunc(func() { calls++; panic("again") })
			got := ""
			for range 2 {
				func() {
					defer func() { got += fmt.Sprint(recover(), " ") }()
					f()
				}()
			}
			one := sync.OnceValue(func() int { calls++; return calls })
			two := sync.OnceValues(func() (int, error) { calls++; return calls, nil })
			one()
			two()
			a, err := two()
			return fmt.Sprint(got, one(), a, err, calls)
		}
		const want = "again again 2 3 <nil> 3"
		if controlled {
			check(t, body, want)
		} else if got := body(); got != want {
			t.Errorf("outside control: %q, want %q", got, want)
		}
	}
}

func TestCondLosesSignal(t *testing.T) {
	check(t, func() string {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		sched.Go(c.Signal) // may come before Wait
		mu.Lock()
		c.Wait()
		mu.Unlock()
		return "woken"
	}, "deadlock", "woken")
}

func TestCondSignalsAndBroadcasts(t *testing.T) {
	wait := func(wake func(*sync.Cond)) func() string {
		return func() string {
			var mu sync.Mutex
			c := sync.NewCond(&mu)
			waiting, order := 0, ""
			done := sched.MakeChan[bool](2)
			for range 2 {
				sched.Go(func() {
					mu.Lock()
					turn := waiting
					waiting++
					c.Wait()
					order += fmt.Sprint(turn)
					mu.Unlock()
					sched.Send(done, true)
				})
			}
			for all := false; !all; {
				mu.Lock()
				all = waiting == 2
				mu.Unlock()
				if !all {
					sched.Sleep(1)
				}
			}
			wake(c)
			sched.Recv(done)
			first := order
			wake(c)
			sched.Recv(done)
			return first[:1] + "," + order
		}
	}
	check(t, wait((*sync.Cond).Signal), "0,01")
	check(t, wait((*sync.Cond).Broadcast), "0,01", "1,10")
}

func TestCondMakesAnEdge(t *testing.T) {
	check(t, func() string {
		var mu, other sync.Mutex
		c := sync.NewCond(&mu)
		n := new(int)
		sched.Go(func() {
			other.Lock()
			*sched.W(n) = 1
			c.Signal()
			other.Unlock()
		})
		mu.Lock()
		c.Wait()
		return fmt.Sprint(*sched.R(n))
	}, "1", "deadlock")
}

func TestCondIsCopied(t *testing.T) {
	check(t, func() string {
		a := sync.NewCond(&sync.Mutex{})
		a.Signal()
		b := new(sync.Cond)
		copyCond(b, a)
		b.Signal()
		return "went on"
	}, "panic: panic: sync.Cond is copied")
}
