//go:build go1.27

package synctest

import (
	"testing/synctest"
	"time"

	"mendel/checker/sched"
)

// Sleep sleeps for d and waits until all other goroutines of the bubble are durably
// blocked.
func Sleep(d time.Duration) {
	if !sched.Active() {
		synctest.Sleep(d)
		return
	}
	sched.Sleep(d)
	sched.WaitBubble()
}
