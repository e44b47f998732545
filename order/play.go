package order

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// play is Test, Try and Expect: the test's part of a run.
func play(t *testing.T, m mode, text string, f func(t *testing.T), options []Option) {
	t.Helper()
	o, err := parse(text)
	if err != nil {
		t.Fatalf("order: %v", err)
	}
	denyParallel(t)
	r := newRun(o, m, options)
	r.begin()
	defer r.end()
	g := r.call(t, f)
	select {
	case <-g.ended:
	case <-r.verdict:
		// What is wrong stands before what that leads to.
		text := r.tell()
		t.Error(text)
		r.letGo()
		if g.await(r); r.bubble != "" && !g.over() && !dump().in(r.bubble).durable() {
			panic(text) // a bubble whose goroutines wait for locks does not end
		}
		t.FailNow()
	}
	r.letGo()
	r.judge(t)
	g.leave()
}

// denyParallel ends a test that runs beside others, and keeps one from doing so later.
func denyParallel(t *testing.T) {
	t.Helper()
	defer func() {
		if recover() != nil {
			t.Helper()
			t.Fatal("order: the test has called t.Parallel, and only one order at a time can be kept")
		}
	}()
	t.Setenv("MENDEL_ORDER", t.Name())
}

// begin waits until no other order runs, and makes this one the current one.
func (r *run) begin() {
	turn <- struct{}{}
	hide()
	current.Store(r)
	show()
	go r.watch()
}

func (r *run) end() {
	r.letGo()
	close(r.stop)
	<-r.watched
	hide()
	current.Store((*run)(nil))
	show()
	<-turn
}

// letGo lets all events pass, for the test.
//
//go:norace
func (r *run) letGo() {
	r.lock()
	r.release()
	r.unlock()
}

// A called is a function that a test gave, in its goroutine.
type called struct {
	ended    chan struct{}
	returned bool
	panicked interface{}
	stack    []byte
}

// call calls the function of the test in a goroutine of its own, since it may be blocked for
// ever. A cleanup waits for it, because those of the function, which run before, may let
// it go on.
func (r *run) call(t *testing.T, f func(t *testing.T)) *called {
	g := &called{ended: make(chan struct{})}
	t.Cleanup(func() { g.await(r) })
	go func() {
		defer close(g.ended)
		defer func() {
			if g.returned {
				return
			}
			if g.panicked = recover(); g.panicked != nil {
				g.stack = debug.Stack()
			}
		}()
		f(t)
		g.returned = true
	}()
	return g
}

// await waits until the function has ended, or is blocked.
func (g *called) await(r *run) {
	if r.bubble != "" {
		g.awaitBubble(r)
		return
	}
	var earlier *view
	begun := time.Now()
	quiet := begun
	for !g.over() && time.Since(begun) < r.within {
		timer := time.NewTimer(shortest)
		select {
		case <-g.ended:
		case <-timer.C:
		}
		timer.Stop()
		now := dump()
		if now.rest() == busy || !now.equal(earlier) {
			quiet = time.Now()
		}
		if time.Since(quiet) >= r.within/100 {
			return
		}
		earlier = now
	}
}

func (g *called) awaitBubble(r *run) {
	if now := settle(r.bubble, many, g.ended); now == nil || !now.durable() {
		return
	}
	timer := time.NewTimer(bubbleLimit)
	select {
	case <-g.ended:
	case <-timer.C:
	}
	timer.Stop()
}

func (g *called) over() bool {
	select {
	case <-g.ended:
		return true
	default:
		return false
	}
}

// leave ends the test as the function has ended.
func (g *called) leave() {
	switch {
	case g.returned:
	case g.panicked != nil:
		panic(fmt.Sprintf("%v\n\n%s", g.panicked, g.stack))
	default:
		runtime.Goexit()
	}
}
