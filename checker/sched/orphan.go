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
var orphans struct {
	sync.Mutex
	any     atomic.Bool
	numbers map[string]bool // of goroutines, see number
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
	g.x.orphaned = true
	running.Store(nil)
	stack = stackOf(g)
	if !g.fate.CompareAndSwap(alive, orphaned) {
		orphans.any.Store(len(orphans.numbers) > 0)
		return stack, false
	}
	if orphans.numbers == nil {
		orphans.numbers = map[string]bool{}
	}
	orphans.numbers[number([]byte(stack))] = true
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
	orphans.any.Store(len(orphans.numbers) > 0)
}

// strayed handles an operation of a goroutine that does not have control. An
// orphan ends, and an early goroutine is retired. Any other was started by code
// that is not under control, and makes the running execution uncontrolled.
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
