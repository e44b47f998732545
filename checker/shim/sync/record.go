package sync

import (
	"sync"
	"unsafe"

	"mendel/checker/sched"
)

// A record is what the package keeps about one value (a mutex, a pool, ...)
// that the running execution has met.
type record interface {
	restore() // sets the value back to what it was when met
}

// met holds the records of the running execution. Its lock is held for
// moments only, never at a scheduling point.
var met = struct {
	sync.Mutex
	changed   *sync.Cond   // a value was changed by code outside control
	execution sched.Object // tells when the next execution begins
	records   map[unsafe.Pointer]record
	recent    [64]struct { // of records, by address
		p unsafe.Pointer
		r record
	}
}{records: map[unsafe.Pointer]record{}}

func init() { met.changed = sync.NewCond(&met.Mutex) }

// meet returns the record of the value at p and makes it if there is none.
func meet[R record](p unsafe.Pointer, create func() R) R {
	met.Lock()
	defer met.Unlock()
	if met.execution.Fresh() {
		for _, r := range met.records {
			r.restore()
		}
		clear(met.records)
		clear(met.recent[:])
	}
	recent := &met.recent[uintptr(p)/8%uintptr(len(met.recent))]
	if recent.p == p {
		if r, ok := recent.r.(R); ok {
			return r
		}
	}
	r, ok := met.records[p].(R)
	if !ok {
		r = create()
		met.records[p] = r
	}
	recent.p, recent.r = p, r
	return r
}

// uncontrolled does an operation on the value at p for code that is not under
// control: it waits until ready, then calls do.
func uncontrolled(what string, p unsafe.Pointer, ready func() bool, do func()) {
	sched.Do(sched.Op{What: what}) // tells a running execution that it is not alone
	met.Lock()
	defer met.Unlock()
	if r := met.records[p]; r != nil { // of the last execution
		r.restore()
		delete(met.records, p)
		clear(met.recent[:])
	}
	for !ready() {
		met.changed.Wait()
	}
	do()
	met.changed.Broadcast()
}

// The race detector is told of what an operation does to the value itself, so
// that it sees when the value is overwritten or copied meanwhile. What happens
// before is told before the edge that the operation makes for others, and after
// the one that it takes itself; but who locks a mutex uses it while it waits.

// used notes an operation that a copy of *p may overlap.
func used[T any](p *T) { sched.AtomicRead(unsafe.Pointer(p), unsafe.Sizeof(*p)) }

// changed notes an operation that changes *p.
func changed[T any](p *T) { sched.AtomicWrite(unsafe.Pointer(p), unsafe.Sizeof(*p)) }

func always() bool { return true }

// fatal ends the execution with what would be a fatal error of the real program.
func fatal(text string) { sched.Fail("fatal error: " + text) }
