package order_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mendel/order"
)

// A program is one with an order.
type program struct {
	name   string
	orders string
	f      func(t *testing.T)
	want   string // of an impossible one: what it waits for
}

// possible can go on within their orders, and fail within all others. Each is run in the
// process, and in a bubble.
var possible = []program{
	{name: "before", orders: "a -> b", f: func(t *testing.T) {
		var first atomic.Value
		together(func() { order.At("b"); first.CompareAndSwap(nil, "b") }, func() { first.CompareAndSwap(nil, "a"); order.At("a") })
		if first.Load() != "a" {
			t.Error("b came first")
		}
	}},
	{name: "after", orders: "b -> a", f: func(t *testing.T) {
		var first atomic.Value
		together(func() { first.CompareAndSwap(nil, "b"); order.At("b") }, func() { order.At("a"); first.CompareAndSwap(nil, "a") })
		if first.Load() != "b" {
			t.Error("a came first")
		}
	}},
	{name: "chain", orders: "a -> b -> c -> d", f: func(t *testing.T) {
		var m marks
		together(m.event(t, "d", []string{"c"}),
			m.event(t, "c", []string{"b"}),
			m.event(t, "b", []string{"a"}),
			m.event(t, "a"))
	}},
	{name: "two", orders: "a -> b, b -> c,", f: func(t *testing.T) {
		var m marks
		together(m.event(t, "c", []string{"b"}),
			m.event(t, "b", []string{"a"}),
			m.event(t, "a"))
	}},
	{name: "all", orders: "a && b -> c", f: func(t *testing.T) {
		var m marks
		together(m.event(t, "c", []string{"a", "b"}),
			m.event(t, "b"),
			m.event(t, "a"))
	}},
	{name: "fan", orders: "a -> b && c -> d", f: func(t *testing.T) {
		var m marks
		together(m.event(t, "d", []string{"b", "c"}),
			m.event(t, "c", []string{"a"}),
			m.event(t, "b", []string{"a"}),
			m.event(t, "a"))
	}},
	{name: "one", orders: "a || b -> c, c -> b", f: func(t *testing.T) {
		var m marks
		together(m.event(t, "b", []string{"c"}),
			m.event(t, "c", []string{"a"}),
			m.event(t, "a"))
	}},
	{name: "groups", orders: "(a || b) && c -> d, d -> b", f: func(t *testing.T) {
		var m marks
		together(m.event(t, "d", []string{"a", "c"}),
			m.event(t, "b", []string{"d"}),
			m.event(t, "c"),
			m.event(t, "a"))
	}},
	{name: "passings", orders: "a#2 -> b, b -> a#3", f: func(t *testing.T) {
		var m marks
		together(m.event(t, "b", []string{"a", "a"}),
			m.event(t, "a"),
			m.event(t, "a"),
			m.event(t, "a"))
	}},
	{name: "receive", orders: "[receive] -> send", f: func(t *testing.T) {
		c := make(chan int)
		var received atomic.Bool
		together(func() {
			order.At("receive")
			<-c
			received.Store(true)
		}, func() {
			order.At("send")
			if received.Load() {
				t.Error("received what nobody has sent")
			}
			select {
			case c <- 1:
			default:
				t.Error("nobody receives")
			}
		})
	}},
	{name: "send", orders: "[send#2] -> receive", f: func(t *testing.T) {
		c := make(chan int, 1)
		together(func() {
			for i := 0; i < 2; i++ {
				order.At("send")
				c <- i
			}
		}, func() {
			order.At("receive")
			if len(c) != 1 {
				t.Error("the channel is not full")
			}
			<-c
			<-c
		})
	}},
	{name: "mutex", orders: "[lock in sharedLock] -> unlock", f: func(t *testing.T) {
		var mu sync.Mutex
		var has atomic.Bool
		mu.Lock()
		together(func() {
			order.At("lock")
			sharedLock(&mu)
			has.Store(true)
			mu.Unlock()
		}, func() {
			order.At("unlock")
			if has.Load() {
				t.Error("two have the lock")
			}
			mu.Unlock()
		})
	}},
	{name: "queueOfLock", orders: "[a in sharedLock] && [b in sharedLock] -> unlock", f: func(t *testing.T) {
		var mu sync.Mutex
		var count atomic.Int32
		mu.Lock()
		next := func(name string) func() {
			return func() {
				order.At(name)
				sharedLock(&mu)
				count.Add(1)
				mu.Unlock()
			}
		}
		together(next("a"), next("b"), func() {
			order.At("unlock")
			if count.Load() != 0 {
				t.Error("two have the lock")
			}
			mu.Unlock()
		})
	}},
	{name: "condition", orders: "[wait] -> signal", f: func(t *testing.T) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		woken := false
		together(func() {
			mu.Lock()
			order.At("wait")
			cond.Wait()
			woken = true
			mu.Unlock()
		}, func() {
			order.At("signal")
			// A signal that comes too early would wake nobody.
			mu.Lock()
			cond.Signal()
			mu.Unlock()
		})
		if !woken {
			t.Error("not woken")
		}
	}},
	{name: "group", orders: "[wait] -> done", f: func(t *testing.T) {
		var wg sync.WaitGroup
		var waited atomic.Bool
		wg.Add(1)
		together(func() {
			order.At("wait")
			wg.Wait()
			waited.Store(true)
		}, func() {
			order.At("done")
			if waited.Load() {
				t.Error("has not waited")
			}
			wg.Done()
		})
	}},
	{name: "context", orders: "[wait] -> cancel", f: func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		together(func() {
			order.At("wait")
			<-ctx.Done()
		}, func() {
			order.At("cancel")
			if ctx.Err() != nil {
				t.Error("cancelled before")
			}
			cancel()
		})
	}},
	{name: "slept", orders: "[slow] -> go", f: func(t *testing.T) {
		c := make(chan int)
		together(func() {
			order.At("slow")
			time.Sleep(3 * time.Millisecond)
			<-c
		}, func() {
			order.At("go")
			select {
			case c <- 1:
			default:
				t.Error("the goroutine sleeps")
			}
		})
	}},
	{name: "timer", orders: "fired -> b", f: func(t *testing.T) {
		var fired atomic.Bool
		time.AfterFunc(5*time.Millisecond, func() {
			fired.Store(true)
			order.At("fired")
		})
		order.At("b")
		if !fired.Load() {
			t.Error("the timer has not fired")
		}
	}},
	{name: "goexit", orders: "end@a -> b", f: func(t *testing.T) {
		order.Go("a", func() {})
		order.At("b")
	}},
}

// impossible have orders that nobody can keep.
var impossible = []program{
	{name: "lock", orders: "b -> a", want: "a (programs_test.go:N) waits for b, which has not come", f: func(t *testing.T) {
		var mu sync.Mutex
		mu.Lock()
		together(func() {
			order.At("a")
			mu.Unlock()
		}, func() {
			mu.Lock()
			order.At("b")
			mu.Unlock()
		})
	}},
	{name: "program", orders: "b -> a", want: "a (programs_test.go:N) waits for b, which has not come", f: func(t *testing.T) {
		order.At("a")
		order.At("b")
	}},
	{name: "rendezvous", orders: "sent -> receive", want: "receive (programs_test.go:N) waits for sent, which has not come", f: func(t *testing.T) {
		c := make(chan int)
		together(func() {
			c <- 1
			order.At("sent")
		}, func() {
			order.At("receive")
			<-c
		})
	}},
	{name: "ended", orders: "[a] -> b", want: "b (programs_test.go:N) waits for [a], but goroutine N is not blocked there (it has ended)", f: func(t *testing.T) {
		together(func() { order.At("a") }, func() { order.At("b") })
	}},
	{name: "held", orders: "[a] -> b, b -> c", want: "b (programs_test.go:N) waits for [a], but goroutine N is not blocked there (it waits for an event)", f: func(t *testing.T) {
		together(func() { order.At("a"); order.At("c") }, func() { order.At("b") })
	}},
	{name: "once", orders: "a#2 -> b", want: "b (programs_test.go:N) waits for a#2, which has not come", f: func(t *testing.T) {
		together(func() { order.At("a") }, func() { order.At("b") })
	}},
	{name: "elsewhere", orders: "[a in sharedLock] -> b", want: "b (programs_test.go:N) waits for [a in sharedLock], but goroutine N is not blocked there (chan receive)", f: func(t *testing.T) {
		c := make(chan int)
		together(func() {
			order.At("a")
			<-c
		}, func() {
			order.At("b")
			close(c)
		})
	}},
	{name: "absent", orders: "c || d -> b", want: "b (programs_test.go:N) waits for c, which has not come, or for d, which has not come", f: func(t *testing.T) {
		order.At("b")
	}},
	{name: "group", orders: "joined -> end", want: "end (programs_test.go:N) waits for joined, which has not come", f: func(t *testing.T) {
		var wg sync.WaitGroup
		wg.Go(func() { order.At("end") })
		wg.Wait()
		order.At("joined")
	}},
	{name: "readers", orders: "written -> read", want: "read (programs_test.go:N) waits for written, which has not come", f: func(t *testing.T) {
		var mu sync.RWMutex
		x := 0
		mu.RLock()
		together(func() {
			mu.Lock()
			x++
			mu.Unlock()
			order.At("written")
		}, func() {
			order.At("read")
			use(x)
			mu.RUnlock()
		})
	}},
}

// racy have a race, and an order within which it cannot have another result.
var racy = []program{
	{name: "before", orders: "wrote -> read", f: func(t *testing.T) {
		x := 0
		race(func() { x = 1; order.At("wrote") }, func() { order.At("read"); use(x) })
	}},
	{name: "chain", orders: "wrote -> between -> read", f: func(t *testing.T) {
		x := 0
		race(func() { x = 1; order.At("wrote") }, func() { order.At("between") }, func() { order.At("read"); use(x) })
	}},
	{name: "all", orders: "wrote && wrote2 -> read", f: func(t *testing.T) {
		x, y := 0, 0
		race(func() { x = 1; order.At("wrote") }, func() { y = 1; order.At("wrote2") }, func() { order.At("read"); use(x + y) })
	}},
	{name: "one", orders: "wrote || never -> read", f: func(t *testing.T) {
		x := 0
		race(func() { x = 1; order.At("wrote") }, func() { order.At("read"); use(x) })
		order.At("never")
	}},
	{name: "passings", orders: "wrote#2 -> read", f: func(t *testing.T) {
		x := 0
		race(func() {
			for i := 0; i < 2; i++ {
				x++
				order.At("wrote")
			}
		}, func() { order.At("read"); use(x) })
	}},
	{name: "blocked", orders: "[wrote] -> read", f: func(t *testing.T) {
		x, c := 0, make(chan int)
		race(func() { x = 1; order.At("wrote"); <-c }, func() { order.At("read"); use(x); close(c) })
	}},
	{name: "map", orders: "wrote -> read", f: func(t *testing.T) {
		m := map[int]int{}
		race(func() { m[1] = 1; order.At("wrote") }, func() { order.At("read"); use(m[1]) })
	}},
	{name: "goroutine", orders: "end@writer -> start@reader", f: func(t *testing.T) {
		x := 0
		done := make(chan bool)
		order.Go("reader", func() { use(x); done <- true })
		order.Go("writer", func() { x = 1 })
		<-done
	}},
	{name: "unnamed", orders: "a -> b", f: func(t *testing.T) {
		// Events that the order does not name order nothing either.
		x := 0
		race(func() { x = 1; order.At("other"); order.At("a") }, func() { order.At("b"); order.At("other"); use(x) })
	}},
	{name: "waits", orders: "b -> c, d -> wrote, wrote -> read", f: func(t *testing.T) {
		// Several wait, and each lets the next one go.
		x := 0
		race(func() { x = 1; order.At("wrote") }, func() { order.At("read"); use(x) }, func() { order.At("c"); order.At("d") }, func() { order.At("b") })
	}},
}

var errWrong = errors.New("wrong")

// use keeps the compiler from leaving out a read.
func use(x int) {
	if x == -1 {
		panic(errWrong)
	}
}

// together calls functions in a goroutine each, and waits for all of them.
func together(functions ...func()) {
	var wg sync.WaitGroup
	for _, f := range functions {
		wg.Go(f)
	}
	wg.Wait()
}

// race is together; what the functions do is meant to race.
func race(functions ...func()) { together(functions...) }

func sharedLock(mu *sync.Mutex) { mu.Lock() }

// marks are the events to which goroutines have come.
type marks struct {
	mu     sync.Mutex
	events []string
}

// event passes an event, before which others have to come, once for each time that
// they are named, in one of several sets.
func (m *marks) event(t *testing.T, name string, sets ...[]string) func() {
	return func() {
		m.mu.Lock()
		m.events = append(m.events, name)
		m.mu.Unlock()
		order.At(name)
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(sets) > 0 && !slices.ContainsFunc(sets, m.has) {
			t.Errorf("%s came behind %v, want %v", name, m.events, sets)
		}
	}
}

func (m *marks) has(set []string) bool {
	left := slices.Clone(m.events)
	for _, name := range set {
		i := slices.Index(left, name)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}
