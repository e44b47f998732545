// Package agetcancel has the first bug of aget, which the paper found: a goroutine is
// cancelled while it holds the lock of the output, and the main one asks for it.
package agetcancel

import (
	"sync"
	"sync/atomic"
)

// A Terminal shows how far a download is.
type Terminal struct {
	mu    sync.Mutex
	lines int
}

// Show prints a line, unless it is cancelled meanwhile.
func (t *Terminal) Show(cancelled *atomic.Bool) {
	if cancelled.Load() {
		return
	}
	t.mu.Lock()
	t.lines++
	if cancelled.Load() {
		return // without the unlock, as a thread that is cancelled
	}
	t.mu.Unlock()
}

// Last prints the last line.
func (t *Terminal) Last() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines++
	return t.lines
}
