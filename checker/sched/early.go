package sched

import (
	"sync"
	"sync/atomic"
)

// Init functions may start goroutines, such as those of a default pool, really,
// because there is no execution yet. They work on the state in which the process
// began. An execution whose body initialises the program anew has its own ones
// instead. So the early ones are retired at their next operation: they wait for
// ever, as if nobody gave them a processor.

var early struct {
	sync.Mutex
	any     atomic.Bool
	numbers map[string]bool // of goroutines, see number
}

// Early returns a function that calls f, which the program gives away outside
// any execution, to be called in a goroutine of its own.
func Early(f func()) func() {
	startedEarly.Store(true)
	return func() {
		me := own()
		early.Lock()
		if early.numbers == nil {
			early.numbers = map[string]bool{}
		}
		early.numbers[me] = true
		early.any.Store(true)
		early.Unlock()
		defer func() {
			early.Lock()
			defer early.Unlock()
			delete(early.numbers, me)
			early.any.Store(len(early.numbers) > 0)
		}()
		f()
	}
}

// isEarly reports whether the calling goroutine was started outside any
// execution.
func isEarly() bool {
	if !early.any.Load() {
		return false
	}
	me := own()
	early.Lock()
	defer early.Unlock()
	return early.numbers[me]
}
