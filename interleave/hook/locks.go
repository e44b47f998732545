package hook

import (
	"sync"
	"unsafe"
)

// acquire takes a lock.
//
//go:norace
func acquire(k Kind, site uint32, object uint64, lock func()) {
	if recorder.on {
		arrive(site, object)
	}
	lock()
	record(k, site, object, 0)
}

// release gives a lock back.
//
//go:norace
func release(k Kind, site uint32, object uint64, unlock func()) {
	touch(k, site, object)
	unlock()
	completed()
}

// tried is an attempt to take a lock, which is an event if it succeeds.
//
//go:norace
func tried(k Kind, site uint32, object uint64, try func() bool) bool {
	if recorder.on {
		arrive(site, object)
	}
	ok := try()
	if ok {
		record(k, site, object, 0)
	}
	return ok
}

// The methods of sync.Mutex and sync.RWMutex, each with the site of the call.

func MutexLock(site uint32, m *sync.Mutex) { acquire(Lock, site, word(unsafe.Pointer(m)), m.Lock) }
func MutexUnlock(site uint32, m *sync.Mutex) {
	release(Unlock, site, word(unsafe.Pointer(m)), m.Unlock)
}
func MutexTryLock(site uint32, m *sync.Mutex) bool {
	return tried(Lock, site, word(unsafe.Pointer(m)), m.TryLock)
}
func RWMutexLock(site uint32, m *sync.RWMutex) { acquire(Lock, site, word(unsafe.Pointer(m)), m.Lock) }
func RWMutexUnlock(site uint32, m *sync.RWMutex) {
	release(Unlock, site, word(unsafe.Pointer(m)), m.Unlock)
}
func RWMutexRLock(site uint32, m *sync.RWMutex) {
	acquire(RLock, site, word(unsafe.Pointer(m)), m.RLock)
}
func RWMutexRUnlock(site uint32, m *sync.RWMutex) {
	release(RUnlock, site, word(unsafe.Pointer(m)), m.RUnlock)
}
func RWMutexTryLock(site uint32, m *sync.RWMutex) bool {
	return tried(Lock, site, word(unsafe.Pointer(m)), m.TryLock)
}
func RWMutexTryRLock(site uint32, m *sync.RWMutex) bool {
	return tried(RLock, site, word(unsafe.Pointer(m)), m.TryRLock)
}

// LockerLock and LockerUnlock are the methods of sync.Locker. What holds neither
// a mutex nor a pointer to one is locked without an event.
func LockerLock(site uint32, l sync.Locker) {
	if object := locker(l); object != 0 {
		acquire(Lock, site, object, l.Lock)
		return
	}
	l.Lock()
}

func LockerUnlock(site uint32, l sync.Locker) {
	if object := locker(l); object != 0 {
		release(Unlock, site, object, l.Unlock)
		return
	}
	l.Unlock()
}

// locker is the address of the mutex in an interface value; 0 if there is none.
func locker(l sync.Locker) uint64 {
	switch m := l.(type) {
	case *sync.Mutex:
		return word(unsafe.Pointer(m))
	case *sync.RWMutex:
		return word(unsafe.Pointer(m))
	}
	return 0
}
