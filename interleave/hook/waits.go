package hook

import (
	"sync"
	"unsafe"
)

// WaitGroupAdd is WaitGroup.Add.
func WaitGroupAdd(site uint32, wg *sync.WaitGroup, delta int) {
	k := Add
	if delta < 0 {
		k = Done
	}
	touch(k, site, word(unsafe.Pointer(wg)))
	wg.Add(delta)
	completed()
}

// WaitGroupDone is WaitGroup.Done.
func WaitGroupDone(site uint32, wg *sync.WaitGroup) {
	touch(Done, site, word(unsafe.Pointer(wg)))
	wg.Done()
	completed()
}

// WaitGroupWait is WaitGroup.Wait.
func WaitGroupWait(site uint32, wg *sync.WaitGroup) {
	if recorder.on {
		arrive(site, word(unsafe.Pointer(wg)))
	}
	wg.Wait()
	record(Wait, site, word(unsafe.Pointer(wg)), 0)
}

// WaitGroupGo is WaitGroup.Go. It has three sites: those of Add, of the start and of Done.
func WaitGroupGo(site uint32, wg *sync.WaitGroup, f func()) {
	touch(Add, site, word(unsafe.Pointer(wg)))
	token := Forking(site + 1)
	wg.Go(func() {
		defer touch(Done, site+2, word(unsafe.Pointer(wg)))
		defer Started(site+1, token)()
		f()
	})
}

// CondWait is Cond.Wait. It has three sites: those of the unlock, of the wait and of the lock.
func CondWait(site uint32, c *sync.Cond) {
	l := locker(c.L)
	touch(Sleep, site+1, word(unsafe.Pointer(c))) // with the lock held, as Wait begins
	if l != 0 {
		touch(Unlock, site, l)
	}
	c.Wait()
	if l != 0 {
		record(Lock, site+2, l, 0)
	}
}

// CondSignal is Cond.Signal.
func CondSignal(site uint32, c *sync.Cond) {
	touch(Signal, site, word(unsafe.Pointer(c)))
	c.Signal()
	completed()
}

// CondBroadcast is Cond.Broadcast.
func CondBroadcast(site uint32, c *sync.Cond) {
	touch(Signal, site, word(unsafe.Pointer(c)))
	c.Broadcast()
	completed()
}

// OnceDo is Once.Do.
func OnceDo(site uint32, o *sync.Once, f func()) {
	o.Do(func() {
		defer record(OnceEnd, site, word(unsafe.Pointer(o)), 0)
		f()
	})
	record(OnceDone, site, word(unsafe.Pointer(o)), 0)
}
