//go:build go1.25

package synctest_test

import (
	"fmt"
	"slices"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/context"
	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/sync"
	"mendel/checker/shim/synctest"
	"mendel/checker/shim/time"
)

func check(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.Outcomes(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got, ok := explore.Reduced(t, body); ok && !slices.Equal(got, want) {
		t.Errorf("with reduction: got %q\nwant %q", got, want)
	}
}

// in is body in a bubble.
func in(body func() string) func() string {
	return func() (got string) {
		sched.RunBubble("", func() { got = body() })
		return got
	}
}

// recovered is what body panics with.
func recovered(body func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	body()
	return ""
}

// Wait makes all that the others have done visible, whether they have ended or wait.
func TestWait(t *testing.T) {
	check(t, in(func() string {
		n := make([]int, 2)
		c := sched.MakeChan[int](0)
		sched.Go(func() { *sched.W(&n[0])++ })
		sched.Go(func() {
			*sched.W(&n[1])++
			sched.Recv(c)
			*sched.W(&n[1])++
		})
		sched.Go(func() {
			time.Sleep(time.Hour)
		})
		synctest.Wait()
		got := fmt.Sprint(*sched.R(&n[0]), *sched.R(&n[1]))
		sched.Send(c, 1)
		synctest.Wait()
		got += fmt.Sprint(*sched.R(&n[1]))
		time.Sleep(time.Hour)
		return got
	}), "1 12")
}

// What others do after they have been woken is not ordered by an earlier Wait.
func TestWaitIsNoFence(t *testing.T) {
	check(t, in(func() string {
		n := new(int)
		c := sched.MakeChan[int](1)
		sched.Go(func() {
			sched.Recv(c)
			*sched.W(n) = 1
		})
		synctest.Wait()
		sched.Send(c, 1)
		return fmt.Sprint(*sched.R(n))
	}), "race")
}

// A sleep makes no edge, though it lets the others run.
func TestSleepMakesNoEdge(t *testing.T) {
	check(t, in(func() string {
		n := new(int)
		sched.Go(func() { *sched.W(n) = 1 })
		time.Sleep(time.Second)
		return fmt.Sprint(*sched.R(n))
	}), "race")
}

// Outside bubbles, and after RunBubble, its goroutines have done everything.
func TestEndMakesEdges(t *testing.T) {
	check(t, func() string {
		n := new(int)
		sched.RunBubble("", func() {
			sched.Go(func() {
				sched.Go(func() { *sched.W(n) = 1 })
			})
		})
		return fmt.Sprint(*sched.R(n))
	}, "1")
}

// All orders are explored in a bubble, but none in which time is early.
func TestOrders(t *testing.T) {
	check(t, in(func() string {
		got := ""
		var mu sync.Mutex
		add := func(s string) { mu.Lock(); got += s; mu.Unlock() }
		sched.Go(func() { add("a") })
		sched.Go(func() { time.Sleep(1); add("c") })
		add("b")
		time.Sleep(2)
		add("d")
		return got
	}), "abcd", "bacd")
	check(t, in(func() string {
		c := sched.MakeChan[int](0)
		sched.Go(func() {
			for range 3 {
				sched.Yield()
			}
			sched.Send(c, 1)
		})
		if sched.Select(sched.From(c), sched.From(time.After(1))) == 1 {
			return "early"
		}
		return "received"
	}), "received")
}

func TestClocks(t *testing.T) {
	check(t, func() string {
		time.Sleep(time.Hour)
		before := time.Now()
		got := ""
		for range 2 {
			sched.RunBubble("", func() {
				start := time.Now()
				time.Sleep(time.Minute)
				got += fmt.Sprint(start.UTC().Format(time.DateTime), " ", time.Since(start), " ")
			})
		}
		return got + time.Since(before).String()
	}, "2000-01-01 00:00:00 1m0s 2000-01-01 00:00:00 1m0s 10ns")
}

// A timer that is set to no time fires at once.
func TestNoTime(t *testing.T) {
	check(t, in(func() string {
		got := fmt.Sprint(sched.SelectDefault(sched.From(time.NewTimer(0).C)))
		n := new(int)
		time.AfterFunc(0, func() { *sched.W(n) = 1 })
		synctest.Wait()
		return got + fmt.Sprint(*sched.R(n))
	}), "01")
}

func TestTimeStopsAtTheEnd(t *testing.T) {
	check(t, in(func() string {
		time.AfterFunc(1, func() { panic("fired") })
		return "ended"
	}), "ended")
	check(t, func() string {
		return recovered(func() {
			sched.RunBubble("", func() {
				sched.Go(func() { sched.Recv(time.Tick(1)) })
			})
		})
	}, "deadlock: main bubble goroutine has exited but blocked goroutines remain")
}

func TestDeadlock(t *testing.T) {
	check(t, in(func() string {
		sched.Recv(sched.MakeChan[int](0))
		return ""
	}), "deadlock")
	check(t, func() string {
		return recovered(func() { sched.RunBubble("", func() { sched.Select() }) })
	}, "deadlock: all goroutines in bubble are blocked")
	check(t, in(func() string {
		time.Tick(1)
		sched.Select()
		return ""
	}), "deadlock")
}

func TestMisuse(t *testing.T) {
	check(t, func() string { return recovered(synctest.Wait) }, "goroutine is not in a bubble")
	check(t, in(func() string { return recovered(func() { sched.RunBubble("", func() {}) }) }),
		"synctest.Run called from within a synctest bubble")
	check(t, in(func() string {
		got := sched.MakeChan[string](2)
		for range 2 {
			sched.Go(func() { sched.Send(got, recovered(synctest.Wait)) })
		}
		a, b := sched.Recv(got), sched.Recv(got)
		return min(a, b) + "," + max(a, b)
	}), "<nil>,wait already in progress")
}

// What blocks durably, and what does not.
func TestDurable(t *testing.T) {
	outside := sched.MakeChan[int](0)
	for name, block := range map[string]struct {
		f    func()
		want string
	}{
		"nil":           {func() { sched.Recv[int](nil) }, "waited"},
		"no case":       {func() { sched.Select() }, "waited"},
		"send":          {func() { sched.Send(sched.MakeChan[int](0), 1) }, "waited"},
		"sleep":         {func() { time.Sleep(time.Hour) }, "waited"},
		"cond":          {func() { c := sync.NewCond(new(sync.Mutex)); c.L.Lock(); c.Wait() }, "waited"},
		"group":         {func() { var wg sync.WaitGroup; wg.Add(1); wg.Wait() }, "waited"},
		"package group": {func() { packageGroup.Add(1); packageGroup.Wait() }, "deadlock"},
		"mutex":         {func() { var mu sync.Mutex; mu.Lock(); mu.Lock() }, "deadlock"},
		"reader":        {func() { var mu sync.RWMutex; mu.Lock(); mu.RLock() }, "deadlock"},
		"once":          {func() { var o sync.Once; o.Do(func() { o.Do(func() {}) }) }, "deadlock"},
		"outside":       {func() { sched.Recv(outside) }, "deadlock"},
		"mixed":         {func() { sched.Select(sched.From(outside), sched.From(sched.MakeChan[int](0))) }, "deadlock"},
		"mixed nil":     {func() { sched.Select(sched.From[int](nil), sched.From(sched.MakeChan[int](0))) }, "waited"},
	} {
		t.Run(name, func(t *testing.T) {
			check(t, func() (got string) {
				outside = sched.MakeChan[int](0)
				text := recovered(func() {
					sched.RunBubble("", func() {
						sched.Go(block.f)
						synctest.Wait()
						got = "waited"
					})
				})
				if text == "" {
					return "ended"
				}
				return got
			}, block.want)
		})
	}
}

var packageGroup sync.WaitGroup

// Time in a bubble does not pass while a goroutine waits for a lock.
func TestLockHoldsTime(t *testing.T) {
	check(t, in(func() string {
		start := time.Now()
		var mu sync.Mutex
		mu.Lock()
		sched.Go(func() {
			mu.Lock()
			defer mu.Unlock()
		})
		time.Sleep(1)
		mu.Unlock()
		return time.Since(start).String()
	}), "deadlock")
}

func TestWaitGroups(t *testing.T) {
	const both = "panic: fatal error: sync: WaitGroup.Add called from inside and outside synctest bubble"
	check(t, func() string {
		var wg sync.WaitGroup
		wg.Add(1)
		sched.RunBubble("", func() { wg.Add(1) })
		return ""
	}, both)
	check(t, func() string {
		var wg sync.WaitGroup
		sched.RunBubble("", func() { wg.Add(1) })
		wg.Add(1)
		return ""
	}, both)
	check(t, func() string {
		var wg sync.WaitGroup
		sched.RunBubble("", func() { wg.Add(1) })
		sched.RunBubble("", func() { wg.Add(1) })
		return ""
	}, "panic: fatal error: sync: WaitGroup.Add called from multiple synctest bubbles")
	check(t, func() string {
		var wg sync.WaitGroup
		for range 2 {
			sched.RunBubble("", func() {
				wg.Add(1)
				wg.Done()
				wg.Wait()
			})
			sched.RunBubble("", func() {
				wg.Add(1)
				sched.Go(wg.Wait)
				synctest.Wait()
				wg.Done()
			})
		}
		return "reused"
	}, "reused")
}

func TestFromOutside(t *testing.T) {
	for want, use := range map[string]func(chan int, *time.Timer){
		"receive on synctest channel": func(c chan int, _ *time.Timer) { sched.Recv(c) },
		"send on synctest channel":    func(c chan int, _ *time.Timer) { sched.Send(c, 1) },
		"close of synctest channel":   func(c chan int, _ *time.Timer) { sched.Close(c) },
		"select on synctest channel":  func(c chan int, t *time.Timer) { sched.Select(sched.From(c), sched.From(t.C)) },
	} {
		check(t, func() string {
			var c chan int
			var timer *time.Timer
			sched.RunBubble("", func() { c, timer = sched.MakeChan[int](1), time.NewTimer(1) })
			use(c, timer)
			return "went on"
		}, "panic: fatal error: "+want+" from outside bubble")
	}
	check(t, func() string {
		var c *sync.Cond
		asked := sched.MakeChan[bool](1)
		sched.Go(func() {
			sched.Recv(asked)
			c.Signal()
		})
		sched.RunBubble("", func() {
			c = sync.NewCond(new(sync.Mutex))
			sched.Go(func() { c.L.Lock(); c.Wait(); c.L.Unlock() })
			synctest.Wait()
			sched.Send(asked, true)
			synctest.Wait()
			c.Signal()
		})
		return "ended"
	}, "ended", "panic: fatal error: semaphore wake of synctest goroutine from outside bubble")
}

// What is outside may be used, and may free goroutines of the bubble.
func TestOutside(t *testing.T) {
	check(t, func() string {
		c := sched.MakeChan[int](0)
		timer := time.NewTimer(time.Hour)
		sched.Go(func() { sched.Send(c, 1) })
		got := 0
		sched.RunBubble("", func() {
			sched.Go(func() { got = sched.Recv(c) })
			synctest.Wait()
			sched.Recv(timer.C)
		})
		return fmt.Sprint(got)
	}, "1")
}

func TestContexts(t *testing.T) {
	check(t, in(func() string {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		called := false
		context.AfterFunc(ctx, func() { called = true })
		time.Sleep(time.Second - 1)
		synctest.Wait()
		got := fmt.Sprint(ctx.Err(), called)
		time.Sleep(1)
		synctest.Wait()
		return got + fmt.Sprint(" ", ctx.Err(), called)
	}), "<nil> false context deadline exceeded true")
	// The channel of a context belongs to the bubble that asks for it first.
	check(t, func() string {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		return recovered(func() {
			sched.RunBubble("", func() { sched.Recv(ctx.Done()) })
		})
	}, "panic: fatal error: close of synctest channel from outside bubble")
}

// Two bubbles at the same time do not notice each other.
func TestTwoBubbles(t *testing.T) {
	check(t, func() string {
		done := sched.MakeChan[string](2)
		for range 2 {
			sched.Go(func() {
				sched.RunBubble("", func() { time.Sleep(time.Second) })
				sched.Send(done, "x")
			})
		}
		return sched.Recv(done) + sched.Recv(done)
	}, "xx")
}
