package sched

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Fates of a goroutine.
const (
	alive    uint32 = iota
	gone            // has ended
	orphaned        // is blocked or loops outside control; no execution owns it
)

// orphans are the goroutines that were orphaned. One that comes back leaves by
// runtime.Goexit at its next operation.
var orphans registry

// A registry has the goroutines that must be told apart from the one that has
// control, by their numbers (see number).
type registry struct {
	sync.Mutex
	any     atomic.Bool           // there are some in numbers or outside
	numbers map[string]bool       // of orphans
	outside map[string]*goroutine // outside control, see environment.go
	stale   map[string]bool       // of goroutines that code outside control started in earlier executions
	left    atomic.Bool           // an execution made an uncontrolled call
	used    bool                  // an execution had an environment
}

// count brings any up to date. The caller has the lock, here and below.
func (r *registry) count() { r.any.Store(len(r.numbers)+len(r.outside) > 0) }

// add notes that h is outside control.
func (r *registry) add(h *goroutine) {
	if r.outside == nil {
		r.outside = map[string]*goroutine{}
	}
	r.outside[h.number] = h
	r.used = true
	r.count()
}

// remove notes that h is not outside control any more.
func (r *registry) remove(h *goroutine) {
	delete(r.outside, h.number)
	r.count()
}

// disown makes h an orphan.
func (r *registry) disown(h *goroutine) {
	if r.numbers == nil {
		r.numbers = map[string]bool{}
	}
	r.numbers[h.number] = true
	r.count()
}

// find returns g, if it is the calling goroutine, or else the one that is: it came
// from outside control and waits until it has control. For an orphan it is nil.
func (r *registry) find(g *goroutine) *goroutine {
	me := own()
	r.Lock()
	h, orphan := r.outside[me], r.numbers[me]
	r.Unlock()
	switch {
	case orphan:
		return nil
	case h != nil:
		h.comeBack()
		return h
	}
	return g
}

// review is called before an execution. It forgets orphans that have ended, and
// notes what earlier environments left.
func (r *registry) review() {
	r.Lock()
	defer r.Unlock()
	if !r.used {
		return
	}
	dump := dump()
	living := map[string]bool{}
	for stack := range stacksOf(dump) {
		living[number([]byte(stack))] = true
	}
	for n := range r.numbers {
		if !living[n] {
			delete(r.numbers, n)
		}
	}
	r.count()
	r.stale = map[string]bool{}
	for _, stack := range uncontrolledStacks(dump) {
		if n := number([]byte(stack)); !daemons.numbers[n] {
			r.stale[n] = true
		}
	}
}

// orphan takes control away from g, which has it, and gives g up. It returns
// the stack of g; ok is false when g has ended meanwhile.
//
// It holds the lock while it looks for g, so that isOrphan waits: g may come
// back at any moment, and must not take itself for a goroutine outside any
// execution.
func orphan(g *goroutine) (stack string, ok bool) {
	orphans.Lock()
	defer orphans.Unlock()
	orphans.any.Store(true)
	g.x.environment.orphaned = true
	running.Store(nil)
	stack = stackOf(g)
	if !g.fate.CompareAndSwap(alive, orphaned) {
		orphans.count()
		return stack, false
	}
	g.number = number([]byte(stack))
	orphans.disown(g)
	return stack, true
}

// isOrphan reports whether the calling goroutine was orphaned.
func isOrphan() bool {
	me := own()
	orphans.Lock()
	defer orphans.Unlock()
	return orphans.numbers[me]
}

// forget takes the calling goroutine, which ends, off the list.
func forget() {
	me := own()
	orphans.Lock()
	defer orphans.Unlock()
	delete(orphans.numbers, me)
	orphans.count()
}

// strayed handles an operation of a goroutine that cannot get control. An orphan
// ends, and an early goroutine is retired. Any other makes the running execution
// uncontrolled: it was started by code that is not under control.
func strayed(what string) {
	if orphans.any.Load() && isOrphan() {
		runtime.Goexit()
	}
	if g := running.Load(); g != nil {
		if !g.x.options.Inherit && isEarly() {
			select {}
		}
		g.x.stray.CompareAndSwap(nil, &what)
	}
}
