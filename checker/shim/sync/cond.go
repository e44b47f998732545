package sync

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"mendel/checker/sched"
)

// A Cond is a condition to wait for. Goroutines are woken in the order in
// which they began to wait, and only by Signal and Broadcast.
type Cond struct {
	noCopy noCopy

	// L is held while observing or changing the condition.
	L Locker

	self uintptr    // its address, to detect copies
	real *sync.Cond // for code outside control
}

// NewCond returns a Cond with Locker l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

// cond is the record of a Cond.
type cond struct {
	object  sched.Object
	waiters []*waiter // the first to be woken first
}

func (*cond) restore() {} // all there is to it is in the record

func (c *Cond) record() *cond {
	return meet(unsafe.Pointer(c), func() *cond { return &cond{} })
}

func (c *Cond) check() {
	used(c)
	own := uintptr(unsafe.Pointer(c))
	if !atomic.CompareAndSwapUintptr(&c.self, 0, own) && atomic.LoadUintptr(&c.self) != own {
		panic("sync.Cond is copied")
	}
}

// uncontrolled returns the real condition for code outside control.
func (c *Cond) uncontrolled(what string) *sync.Cond {
	sched.Do(sched.Op{What: what})
	met.Lock()
	defer met.Unlock()
	if c.real == nil {
		c.real = sync.NewCond(c.L)
	}
	return c.real
}

// Wait unlocks c.L, waits to be woken and locks c.L.
func (c *Cond) Wait() {
	c.check()
	if !sched.Active() {
		c.uncontrolled("Cond.Wait").Wait()
		return
	}
	r := c.record()
	sched.Do(sched.Op{Kind: sched.KindWait, Obj: &r.object, As: sched.AsQueue, What: "Cond.Wait"})
	w := &waiter{bubble: sched.Bubbled()}
	r.waiters = append(r.waiters, w)
	c.L.Unlock()
	sched.Do(sched.Op{Kind: sched.KindWait, Obj: &r.object, Read: true, As: sched.AsQueue, Durable: true, Enabled: w.ready, What: "Cond.Wait"})
	sched.Acquire(&w.object)
	c.L.Lock()
}

// Signal wakes the goroutine that has waited longest, if any.
func (c *Cond) Signal() {
	c.check()
	if !sched.Active() {
		c.uncontrolled("Cond.Signal").Signal()
		return
	}
	r := c.record()
	sched.Do(sched.Op{Kind: sched.KindSignal, Obj: &r.object, As: sched.AsQueue, Size: 1, What: "Cond.Signal"})
	r.wake(min(1, len(r.waiters)))
}

// Broadcast wakes all goroutines that wait.
func (c *Cond) Broadcast() {
	c.check()
	if !sched.Active() {
		c.uncontrolled("Cond.Broadcast").Broadcast()
		return
	}
	r := c.record()
	sched.Do(sched.Op{Kind: sched.KindSignal, Obj: &r.object, As: sched.AsQueue, What: "Cond.Broadcast"})
	r.wake(len(r.waiters))
}

func (r *cond) wake(n int) {
	for _, w := range r.waiters[:n] {
		w.checkBubble()
		w.woken = true
		sched.Release(&w.object)
	}
	r.waiters = r.waiters[n:]
}
