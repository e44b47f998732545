package order_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mendel/order"
)

// A cache loads what it does not have. Two callers may miss before one of them
// has stored.
type cache struct {
	mu     sync.Mutex
	values map[string]int
	load   func(string) int
	fixed  bool
}

func (c *cache) get(k string) int {
	c.mu.Lock()
	v, ok := c.values[k]
	if c.fixed {
		defer c.mu.Unlock()
		if !ok {
			v = c.load(k)
			c.values[k] = v
		}
		return v
	}
	c.mu.Unlock()
	if !ok {
		v = c.load(k)
		c.mu.Lock()
		c.values[k] = v
		c.mu.Unlock()
	}
	return v
}

// A bad order happens in each run where it can, and a fix makes it impossible.
func TestTryGivesWay(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		want := int32(2)
		if fixed {
			want = 1
		}
		var loads atomic.Int32
		c := &cache{values: map[string]int{}, fixed: fixed, load: func(string) int {
			loads.Add(1)
			order.At("loading")
			order.At("loaded")
			return 1
		}}
		order.Try(t, "loading#2 -> loaded", func(t *testing.T) {
			var wg sync.WaitGroup
			wg.Go(func() { c.get("k") })
			wg.Go(func() { c.get("k") })
			wg.Wait()
		})
		if n := loads.Load(); n != want {
			t.Errorf("fixed: %t: loaded %d times, want %d", fixed, n, want)
		}
	}
}

// Figure 3.2 of Luo's thesis: add before take, then take before add. The capacity
// is one.
func TestBlockedBeforeAdd(t *testing.T) {
	order.Test(t, "afterAdd1 -> beforeTake1, [beforeTake2] -> beforeAdd2", func(t *testing.T) {
		queue := make(chan int, 1)
		var wg sync.WaitGroup
		wg.Go(func() {
			queue <- 1
			order.At("afterAdd1")
			order.At("beforeAdd2")
			if len(queue) != 0 {
				t.Error("the second value is added before the first one is taken")
			}
			queue <- 2
		})
		order.At("beforeTake1")
		if v := <-queue; v != 1 {
			t.Errorf("took %d, want 1", v)
		}
		order.At("beforeTake2")
		if v := <-queue; v != 2 {
			t.Errorf("took %d, want 2", v)
		}
		wg.Wait()
	})
}

// Figure 3.7, which passes an event in a loop: a goroutine puts values into a
// queue without room. It is interrupted while it puts the second one.
func TestPutIsInterrupted(t *testing.T) {
	order.Test(t, "[put] -> take, [put#2] -> interrupt", func(t *testing.T) {
		queue, interrupted := make(chan int), make(chan struct{})
		added, gaveUp := 0, false
		var wg sync.WaitGroup
		wg.Go(func() {
			for !gaveUp {
				order.At("put")
				select {
				case queue <- added:
					added++
				case <-interrupted:
					gaveUp = true
				}
			}
		})
		order.At("take")
		if v := <-queue; v != 0 {
			t.Errorf("took %d, want 0", v)
		}
		order.At("interrupt")
		close(interrupted)
		wg.Wait()
		if added != 1 {
			t.Errorf("added %d values, want 1", added)
		}
	})
}

// Goroutines that wait for a mutex are blocked, too.
func TestBlockedInFunction(t *testing.T) {
	order.Test(t, "[first in cache.get] && [second in cache.get] -> unlock", func(t *testing.T) {
		c := &cache{values: map[string]int{}, load: func(string) int { return 1 }}
		c.mu.Lock()
		var wg sync.WaitGroup
		var got atomic.Int32
		for _, name := range []string{"first", "second"} {
			wg.Go(func() {
				order.At(name)
				c.get("k")
				got.Add(1)
			})
		}
		order.At("unlock")
		if got.Load() != 0 {
			t.Error("a goroutine has a value before the lock is free")
		}
		c.mu.Unlock()
		wg.Wait()
	})
}

func TestGo(t *testing.T) {
	order.Test(t, "end@a -> start@b", func(t *testing.T) {
		var ended, begun atomic.Bool
		done := make(chan struct{})
		order.Go("b", func() {
			begun.Store(true)
			if !ended.Load() {
				t.Error("b begins before a has ended")
			}
			close(done)
		})
		order.Go("a", func() {
			time.Sleep(time.Microsecond)
			if begun.Load() {
				t.Error("b has begun")
			}
			ended.Store(true)
		})
		<-done
	})
}

// Each order has a subtest.
func TestEach(t *testing.T) {
	var runs []string
	order.Each(t, []string{"a -> b", "b -> a"}, func(t *testing.T) {
		var trace []string
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, name := range []string{"a", "b"} {
			wg.Go(func() {
				order.At(name)
				mu.Lock()
				trace = append(trace, name)
				mu.Unlock()
				order.At(name + "Done")
			})
		}
		wg.Wait()
		runs = append(runs, t.Name())
	})
	if got := strings.Join(runs, " "); got != "TestEach/a_->_b TestEach/b_->_a" {
		t.Errorf("ran %s", got)
	}
}

// The n-th passing is counted when an event is passed. So the second goroutine
// that comes waits behind the first one.
func TestPassingsAreCounted(t *testing.T) {
	order.Test(t, "[one] -> two, go -> turn", func(t *testing.T) {
		var passed atomic.Int32
		var wg sync.WaitGroup
		for i := 0; i < 2; i++ {
			wg.Go(func() {
				order.At("turn")
				passed.Add(1)
			})
		}
		blocked := make(chan struct{})
		wg.Go(func() {
			order.At("one")
			<-blocked
		})
		order.At("two")
		if n := passed.Load(); n != 0 {
			t.Errorf("%d goroutines have passed", n)
		}
		close(blocked)
		order.At("go")
		wg.Wait()
	})
}
