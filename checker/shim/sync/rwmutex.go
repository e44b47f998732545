package sync

import (
	"sync"
	"unsafe"

	"mendel/checker/sched"
)

// An RWMutex is a lock held by any number of readers or by one writer.
//
// Lock takes two steps, as in the real package: the writer arrives, from when
// on no reader and no other writer comes in, and then waits for the readers
// that are still inside. A goroutine that asks for a read lock it already has
// is therefore blocked for ever if a writer arrives in between.
type RWMutex struct {
	holders
	_ [16]byte // the size of the real one
}

type holders struct {
	arrived bool  // a writer holds the lock or waits for the readers to leave
	held    bool  // by a writer
	readers int32 // that hold it
}

// rwmutex is the record of an RWMutex.
type rwmutex struct {
	*RWMutex
	was     holders
	object  sched.Object // released by writers
	left    sched.Object // released by readers
	open    func() bool
	drained func() bool
}

func (r *rwmutex) restore() { r.holders = r.was }

func (rw *RWMutex) record() *rwmutex {
	return meet(unsafe.Pointer(rw), func() *rwmutex {
		return &rwmutex{RWMutex: rw, was: rw.holders, open: rw.open, drained: rw.drained}
	})
}

func (h *holders) open() bool    { return !h.arrived }
func (h *holders) drained() bool { return h.readers == 0 }

// Lock locks rw for writing.
func (rw *RWMutex) Lock() {
	if !sched.Active() {
		p := unsafe.Pointer(rw)
		uncontrolled("RWMutex.Lock", p, rw.open, func() { rw.arrived = true })
		uncontrolled("RWMutex.Lock", p, rw.drained, func() { rw.held = true })
		return
	}
	r := rw.record()
	used(rw)
	sched.Do(sched.Op{Kind: sched.KindArrive, Obj: &r.object, As: sched.AsLock, Enabled: r.open, What: "RWMutex.Lock"})
	rw.arrived = true
	sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &r.object, As: sched.AsLock, Enabled: r.drained, What: "RWMutex.Lock"})
	r.enter()
}

// enter makes the caller the writer inside.
func (r *rwmutex) enter() {
	r.arrived, r.held = true, true
	sched.Acquire(&r.object)
	sched.Acquire(&r.left)
}

// TryLock locks rw for writing if nobody holds it and no writer waits, and
// reports whether it did.
func (rw *RWMutex) TryLock() bool {
	if !sched.Active() {
		ok := false
		uncontrolled("RWMutex.TryLock", unsafe.Pointer(rw), always, func() {
			if ok = rw.open() && rw.drained(); ok {
				rw.arrived, rw.held = true, true
			}
		})
		return ok
	}
	r := rw.record()
	used(rw)
	sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &r.object, As: sched.AsLock, What: "RWMutex.TryLock"})
	if !rw.open() || !rw.drained() {
		return false
	}
	r.enter()
	return true
}

// Unlock unlocks rw for writing. It is a fatal error if it is not so locked.
func (rw *RWMutex) Unlock() {
	if !sched.Active() {
		was := false
		uncontrolled("RWMutex.Unlock", unsafe.Pointer(rw), always, func() {
			if was = rw.held; was {
				rw.arrived, rw.held = false, false
			}
		})
		if !was {
			new(sync.RWMutex).Unlock() // the real fatal error
		}
		return
	}
	r := rw.record()
	used(rw)
	sched.Do(sched.Op{Kind: sched.KindRelease, Obj: &r.object, As: sched.AsLock, What: "RWMutex.Unlock"})
	if !rw.held {
		fatal("sync: Unlock of unlocked RWMutex")
		return
	}
	rw.arrived, rw.held = false, false
	sched.Release(&r.object)
}

// RLock locks rw for reading.
func (rw *RWMutex) RLock() {
	if !sched.Active() {
		uncontrolled("RWMutex.RLock", unsafe.Pointer(rw), rw.open, func() { rw.readers++ })
		return
	}
	r := rw.record()
	used(rw)
	sched.Do(sched.Op{Kind: sched.KindRAcquire, Obj: &r.object, As: sched.AsLock, Enabled: r.open, What: "RWMutex.RLock"})
	rw.readers++
	sched.Acquire(&r.object)
}

// TryRLock locks rw for reading if no writer holds it or waits, and reports
// whether it did.
func (rw *RWMutex) TryRLock() bool {
	if !sched.Active() {
		ok := false
		uncontrolled("RWMutex.TryRLock", unsafe.Pointer(rw), always, func() {
			if ok = rw.open(); ok {
				rw.readers++
			}
		})
		return ok
	}
	r := rw.record()
	used(rw)
	sched.Do(sched.Op{Kind: sched.KindRAcquire, Obj: &r.object, As: sched.AsLock, What: "RWMutex.TryRLock"})
	if !rw.open() {
		return false
	}
	rw.readers++
	sched.Acquire(&r.object)
	return true
}

// RUnlock undoes one RLock. It is a fatal error if there is none.
func (rw *RWMutex) RUnlock() {
	if !sched.Active() {
		was := false
		uncontrolled("RWMutex.RUnlock", unsafe.Pointer(rw), always, func() {
			if was = rw.readers > 0; was {
				rw.readers--
			}
		})
		if !was {
			new(sync.RWMutex).RUnlock() // the real fatal error
		}
		return
	}
	r := rw.record()
	used(rw)
	sched.Do(sched.Op{Kind: sched.KindRRelease, Obj: &r.object, As: sched.AsLock, What: "RWMutex.RUnlock"})
	if rw.readers == 0 {
		fatal("sync: RUnlock of unlocked RWMutex")
		return
	}
	rw.readers--
	sched.Release(&r.left)
}

// RLocker returns a Locker whose methods call rw.RLock and rw.RUnlock.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
