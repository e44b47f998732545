package sync

import (
	"unsafe"

	"mendel/checker/sched"
)

// A WaitGroup belongs to a bubble of synctest from the first Add in it until it is
// zero and Wait has seen that. Those in package variables belong to none: the
// runtime has no place for a note of it.

// associate notes that Add is about to be called, and ends the execution where that
// is a fatal error.
func (r *waitGroup) associate() {
	b := sched.Bubbled()
	switch {
	case b == nil || isPackageVariable(unsafe.Pointer(r.WaitGroup)):
		if r.bubble != nil {
			sched.Fatal("sync: WaitGroup.Add called from inside and outside synctest bubble")
		}
	case r.bubble == nil && (r.n != 0 || len(r.waiters) > 0):
		sched.Fatal("sync: WaitGroup.Add called from inside and outside synctest bubble")
	case r.bubble != nil && r.bubble != b:
		sched.Fatal("sync: WaitGroup.Add called from multiple synctest bubbles")
	default:
		r.bubble = b
	}
}

// durable reports whether a wait for the group is durably blocking.
func (r *waitGroup) durable() bool { return r.bubble != nil && r.bubble == sched.Bubbled() }

// landmark is a variable that the linker has placed.
var landmark byte

// isPackageVariable reports whether p points into a package variable: the linker
// places these within 2 GB of each other, and the heap is elsewhere.
func isPackageVariable(p unsafe.Pointer) bool {
	const reach = 2 << 30
	at, here := uintptr(p), uintptr(unsafe.Pointer(&landmark))
	return max(at, here)-min(at, here) < reach && unsafe.Sizeof(at) == 8
}

// checkBubble ends the execution if the goroutine that wakes w must not.
func (w *waiter) checkBubble() {
	if w.bubble != nil && w.bubble != sched.Bubbled() {
		sched.Fatal("semaphore wake of synctest goroutine from outside bubble")
	}
}
