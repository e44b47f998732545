package sched

import (
	"iter"
	"runtime"
	"time"
)

// The sequence of iter.Pull runs in a goroutine of its own, but only while the caller of
// next or stop waits for it: what it does are steps of that caller.

// A coroutine is the sequence of an iter.Pull.
type coroutine struct {
	called bool // under control
	ended  bool
	left   bool // the execution is over
	used   byte // stands for it: calls of next and stop must not be concurrent
	stop   func()
}

// IterPull is iter.Pull.
func IterPull[V any](seq iter.Seq[V]) (next func() (V, bool), stop func()) {
	c := &coroutine{}
	pull, end := iter.Pull(func(yield func(V) bool) {
		c.begin()
		defer c.end()
		seq(func(v V) bool {
			more := yield(v)
			c.leave()
			return more
		})
	})
	c.stop = end
	return func() (V, bool) { c.call(); return pull() }, func() { c.call(); end() }
}

// IterPull2 is iter.Pull2.
func IterPull2[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	c := &coroutine{}
	pull, end := iter.Pull2(func(yield func(K, V) bool) {
		c.begin()
		defer c.end()
		seq(func(k K, v V) bool {
			more := yield(k, v)
			c.leave()
			return more
		})
	})
	c.stop = end
	return func() (K, V, bool) { c.call(); return pull() }, func() { c.call(); end() }
}

// call comes before next and stop.
func (c *coroutine) call() {
	g := current()
	if g == nil || !g.scheduled() {
		return
	}
	W(&c.used)
	if !c.called {
		c.called = true
		g.x.coroutines = append(g.x.coroutines, c)
	}
}

// begin makes the goroutine of the sequence one with that which waits for it.
func (c *coroutine) begin() {
	if c.called {
		mark()
	}
}

func (c *coroutine) end() { c.ended = true }

// leave ends a sequence that nobody has stopped.
func (c *coroutine) leave() {
	if c.left {
		runtime.Goexit()
	}
}

// leaveCoroutines ends the sequences that were not stopped in an execution that is over.
// Their deferred calls are run as those of a goroutine that is leaving.
func (x *execution) leaveCoroutines() {
	if len(x.coroutines) == 0 {
		return
	}
	leaver := &goroutine{x: x, time: &x.time.clock}
	leaver.leaving.Store(true)
	for _, c := range x.coroutines {
		if c.ended {
			continue
		}
		running.Store(leaver)
		c.left = true
		gone := make(chan bool)
		go func() {
			defer close(gone) // stop does not return
			c.stop()
		}()
		select {
		case <-gone:
		case <-time.After(x.options.StepTime):
		}
	}
}
