package sched

import (
	"runtime"
	"sync/atomic"
)

// Of the goroutines under control one runs at a time, so that a second processor
// has nothing to do but to be woken up in vain at each hand-off and to go to
// sleep again.

// processors is what GOMAXPROCS tells the program, 0 while it tells what is.
var processors atomic.Int64

// OneProcessor has the process make do with one processor for its Go code, and
// GOMAXPROCS hide that from the program, until the function it returns is called.
func OneProcessor() (restore func()) {
	before := runtime.GOMAXPROCS(1)
	processors.Store(int64(before))
	return func() {
		processors.Store(0)
		runtime.GOMAXPROCS(before)
	}
}

// GOMAXPROCS is runtime.GOMAXPROCS. Between OneProcessor and its end it only
// seems to set the number.
func GOMAXPROCS(n int) int {
	for {
		seen := processors.Load()
		switch {
		case seen == 0:
			return runtime.GOMAXPROCS(n)
		case n <= 0 || processors.CompareAndSwap(seen, int64(n)):
			return int(seen)
		}
	}
}
