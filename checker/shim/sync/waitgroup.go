package sync

import (
	"path/filepath"
	"runtime"
	"strconv"
	"unsafe"

	"mendel/checker/sched"
)

// A WaitGroup waits for a number of goroutines to finish.
//
// As in the real package, the race detector requires that the first Add and the
// first Wait are synchronised with each other.
type WaitGroup struct {
	noCopy noCopy
	n      int32
	_      [4]byte
	state  [8]byte // stands for all of it: see used
}

// noCopy makes vet complain of copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// waitGroup is the record of a WaitGroup.
type waitGroup struct {
	*WaitGroup
	was     int32
	object  sched.Object
	waiters []*waiter
	bubble  *sched.Bubble // nil: none
}

// A waiter is a goroutine that waits for a WaitGroup or a Cond.
type waiter struct {
	object sched.Object // released by a Signal
	woken  bool
	bubble *sched.Bubble // of a goroutine that waits for a Cond
}

func (w *waiter) ready() bool { return w.woken }

func (r *waitGroup) restore() { r.n = r.was }

func (wg *WaitGroup) record() *waitGroup {
	return meet(unsafe.Pointer(wg), func() *waitGroup { return &waitGroup{WaitGroup: wg, was: wg.n} })
}

// Add adds delta to the counter. When it becomes zero all who wait go on; a
// negative counter panics.
func (wg *WaitGroup) Add(delta int) { wg.change(delta, "WaitGroup.Add") }

func (wg *WaitGroup) change(delta int, what string) {
	if !sched.Active() {
		uncontrolled(what, unsafe.Pointer(wg), always, func() { wg.add(delta) })
		return
	}
	r := wg.record()
	sched.Do(sched.Op{Kind: sched.KindAdd, Obj: &r.object, As: sched.AsCounter, Word: unsafe.Pointer(&wg.n), Size: uintptr(delta), What: what})
	r.associate()
	used(&wg.state)
	if delta < 0 {
		sched.Release(&r.object)
	}
	wg.add(delta)
	if delta > 0 && wg.n == int32(delta) {
		sched.RaceRead(unsafe.Pointer(&wg.n), unsafe.Sizeof(wg.n))
	}
	if wg.n == 0 {
		if len(r.waiters) > 0 {
			r.bubble = nil
		}
		for _, w := range r.waiters {
			w.woken = true
		}
		r.waiters = nil
	}
}

func (wg *WaitGroup) add(delta int) {
	wg.n += int32(delta)
	if wg.n < 0 {
		panic("sync: negative WaitGroup counter")
	}
}

// Done is Add(-1).
func (wg *WaitGroup) Done() { wg.change(-1, "WaitGroup.Done") }

func (wg *WaitGroup) zero() bool { return wg.n == 0 }

// Wait waits until the counter is zero.
func (wg *WaitGroup) Wait() {
	if !sched.Active() {
		uncontrolled("WaitGroup.Wait", unsafe.Pointer(wg), wg.zero, func() {})
		return
	}
	r := wg.record()
	used(&wg.state)
	// Goroutines that begin to wait do not get in each other's way: a read.
	op := sched.Op{Kind: sched.KindWait, Obj: &r.object, Read: true, As: sched.AsCounter, Word: unsafe.Pointer(&wg.n), What: "WaitGroup.Wait"}
	sched.Do(op)
	if wg.n != 0 {
		w := &waiter{}
		r.waiters = append(r.waiters, w)
		if len(r.waiters) == 1 {
			sched.RaceWrite(unsafe.Pointer(&wg.n), unsafe.Sizeof(wg.n))
		}
		op.Enabled, op.Durable = w.ready, r.durable()
		sched.Do(op)
		if wg.n != 0 {
			sched.Acquire(&r.object)
			panic("sync: WaitGroup is reused before previous Wait has returned")
		}
	} else if r.durable() {
		r.bubble = nil
	}
	sched.Acquire(&r.object)
}

// Go calls f in a new goroutine and adds it to the group. When f panics, Done
// is not called, so that no one who waits goes on.
func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	sched.GoAt(caller(), func() {
		defer func() {
			if x := recover(); x != nil {
				panic(x)
			}
			wg.Done()
		}()
		f()
	})
}

// caller names the place that called the function that calls it.
func caller() string {
	_, file, line, ok := runtime.Caller(2)
	if !ok {
		return ""
	}
	return filepath.Base(file) + ":" + strconv.Itoa(line)
}
