//go:build go1.25

// Package synctest replaces testing/synctest in a program under test. A bubble is
// one of package sched; its T is one of package driver.
//
// # Under control
//
// Goroutines, channels, timers and wait groups belong to bubbles as in the real
// package, and durably blocked means the same: a wait in a send or receive on a
// channel of the bubble, in a select of such channels only, in [sync.Cond.Wait], in
// [sync.WaitGroup.Wait] if Add was called in the bubble, and in [time.Sleep]. The
// panics and fatal errors are the real ones. [Wait] and the passing of the bubble's
// time are steps of the schedule, which are enabled when the bubble is durably
// blocked. So no time-out of a bubble ever fires early.
//
// A goroutine that is outside control (a call of a package that was not rewritten)
// is not durably blocked, even if it would be in the real program: a test that waits
// for it has no verdict.
//
// A ticker that ticks 10,000 times without waking anybody does not keep a bubble
// from being reported as deadlocked. The real program would hang.
//
// Outside control the functions are the real ones.
package synctest

import (
	"testing"
	"testing/synctest"

	"mendel/checker/driver"
	"mendel/checker/sched"
)

// Test executes f in a new bubble and waits for all its goroutines to end.
func Test(t *testing.T, f func(*testing.T)) {
	if !sched.Active() {
		synctest.Test(t, f)
		return
	}
	driver.Of(t).Bubble(f)
}

// Wait blocks until all other goroutines of the bubble are durably blocked.
func Wait() {
	if !sched.Active() {
		synctest.Wait()
		return
	}
	sched.WaitBubble()
}
