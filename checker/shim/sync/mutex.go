package sync

import (
	"sync"
	"unsafe"

	"mendel/checker/sched"
)

// A Locker can be locked and unlocked. It is the real interface, so that
// values can be passed to packages that are not under control.
type Locker = sync.Locker

// A Mutex is a mutual exclusion lock.
type Mutex struct {
	locked bool
	_      [7]byte // the size of the real one
}

// mutex is the record of a Mutex.
type mutex struct {
	*Mutex
	was    bool
	object sched.Object
	free   func() bool
}

func (r *mutex) restore() { r.locked = r.was }

func (m *Mutex) record() *mutex {
	return meet(unsafe.Pointer(m), func() *mutex {
		return &mutex{Mutex: m, was: m.locked, free: m.free}
	})
}

func (m *Mutex) free() bool { return !m.locked }
func (m *Mutex) take()      { m.locked = true }

// Lock locks m, waiting until it is free.
func (m *Mutex) Lock() {
	if !sched.Active() {
		uncontrolled("Mutex.Lock", unsafe.Pointer(m), m.free, m.take)
		return
	}
	r := m.record()
	changed(m)
	sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &r.object, Enabled: r.free, As: sched.AsLock, What: "Mutex.Lock"})
	m.locked = true
	sched.Acquire(&r.object)
}

// TryLock locks m if it is free and reports whether it did.
func (m *Mutex) TryLock() bool {
	if !sched.Active() {
		ok := false
		uncontrolled("Mutex.TryLock", unsafe.Pointer(m), always, func() { ok, m.locked = !m.locked, true })
		return ok
	}
	r := m.record()
	sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &r.object, As: sched.AsLock, What: "Mutex.TryLock"})
	changed(m)
	if m.locked {
		return false
	}
	m.locked = true
	sched.Acquire(&r.object)
	return true
}

// Unlock unlocks m. It is a fatal error if m is not locked.
func (m *Mutex) Unlock() {
	if !sched.Active() {
		was := false
		uncontrolled("Mutex.Unlock", unsafe.Pointer(m), always, func() { was, m.locked = m.locked, false })
		if !was {
			new(sync.Mutex).Unlock() // the real fatal error
		}
		return
	}
	r := m.record()
	sched.Do(sched.Op{Kind: sched.KindRelease, Obj: &r.object, As: sched.AsLock, What: "Mutex.Unlock"})
	changed(m)
	if !m.locked {
		fatal("sync: unlock of unlocked mutex")
		return
	}
	m.locked = false
	sched.Release(&r.object)
}
