package sched

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Fates of a goroutine.
const (
	alive uint32 = iota
	gone         // has ended
	left         // is blocked or loops outside control, and was left behind
)

// lost are the goroutines that were left behind. One that comes back leaves by
// runtime.Goexit at its next operation.
var lost struct {
	sync.Mutex
	any     atomic.Bool
	numbers map[string]bool // of goroutines, see number
}

// abandon leaves g behind, which has control, and takes that away from it. It
// returns its stack; ok is false when it has ended meanwhile. While it is being
// looked for, whoever asks whether he is lost waits: g may come back at any
// moment, and must not take itself for a goroutine outside any execution.
func abandon(g *goroutine) (stack string, ok bool) {
	lost.Lock()
	defer lost.Unlock()
	lost.any.Store(true)
	g.x.forsaken = true
	running.Store(nil)
	stack = stackOf(g)
	if !g.fate.CompareAndSwap(alive, left) {
		lost.any.Store(len(lost.numbers) > 0)
		return stack, false
	}
	if lost.numbers == nil {
		lost.numbers = map[string]bool{}
	}
	lost.numbers[number([]byte(stack))] = true
	return stack, true
}

// isLost reports whether the calling goroutine was left behind.
func isLost() bool {
	me := own()
	lost.Lock()
	defer lost.Unlock()
	return lost.numbers[me]
}

// forget takes the calling goroutine, which ends, off the list.
func forget() {
	me := own()
	lost.Lock()
	defer lost.Unlock()
	delete(lost.numbers, me)
	lost.any.Store(len(lost.numbers) > 0)
}

// strayed handles an operation of a goroutine that does not have control: one
// that was left behind ends; any other, started by code that is not under
// control, makes the running execution uncontrolled.
func strayed(what string) {
	if lost.any.Load() && isLost() {
		runtime.Goexit()
	}
	if g := running.Load(); g != nil {
		g.x.stray.CompareAndSwap(nil, &what)
	}
}
