// Package doublefree is about the bug of glibc 2.5, an assertion in free whose cause
// is not known: here two goroutines see that a block is in use, and both free it.
package doublefree

import "sync/atomic"

// An Arena counts its free blocks.
type Arena struct {
	used atomic.Bool
	free atomic.Int64
}

// Free gives the block back.
func (a *Arena) Free() {
	if a.used.Load() {
		a.used.Store(false)
		a.free.Add(1)
	}
}
