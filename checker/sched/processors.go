package sched

import (
	"runtime"
	"sync/atomic"
)

// One goroutine under control runs at a time. A second processor would only be
// woken at each hand-off, find nothing to do, and go to sleep again.

// processors is what GOMAXPROCS tells the program; 0: the real number.
var processors atomic.Int64

// OneProcessor restricts the process to one processor for its Go code, and makes
// GOMAXPROCS hide that from the program, until the returned function is called.
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
