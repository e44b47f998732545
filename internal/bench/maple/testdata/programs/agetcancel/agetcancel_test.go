package agetcancel

import (
	"sync/atomic"
	"testing"

	"example.com/maple/internal/work"
)

func TestCancel(t *testing.T) {
	var (
		terminal  Terminal
		cancelled atomic.Bool
	)
	work.Both(func() { terminal.Show(&cancelled) }, func() {
		cancelled.Store(true)
		terminal.Last()
	})
}
