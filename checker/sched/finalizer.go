package sched

import (
	"runtime"
	"sync/atomic"
)

// collects is set in a program that has garbage collected when it wants.
var collects atomic.Bool

// Collects notes, when the program is initialised, that it calls runtime.GC, and so may
// wait for finalizers. The result means nothing.
func Collects() struct{} {
	collects.Store(true)
	return struct{}{}
}

// SetFinalizer is runtime.SetFinalizer. A finalizer may run at any time or never, in a
// goroutine that is not under control. In a program that never collects garbage itself,
// it never runs during an execution.
func SetFinalizer(obj, finalizer any) {
	g := current()
	switch {
	case g == nil:
	case collects.Load():
		g.leave("runtime.SetFinalizer runs functions in goroutines outside control")
	default:
		if finalizer != nil {
			g.unwatched("finalizers are not run")
		}
		return
	}
	runtime.SetFinalizer(obj, finalizer)
}

// AddCleanup is runtime.AddCleanup for packages of the library that are under control:
// what they clean up is a cache of theirs. Under control nothing is cleaned up.
func AddCleanup[T, S any](p *T, cleanup func(S), arg S) runtime.Cleanup {
	if current() != nil {
		return runtime.Cleanup{}
	}
	return runtime.AddCleanup(p, cleanup, arg)
}
