package context

import (
	"context"
	"reflect"
	"time"

	"mendel/checker/sched"
	clock "mendel/checker/shim/time"
)

// The real types.
type (
	Context         = context.Context
	CancelFunc      = context.CancelFunc
	CancelCauseFunc = context.CancelCauseFunc
)

// Canceled is the real error of a context that was cancelled.
var Canceled = context.Canceled

// DeadlineExceeded is the real error of a context whose deadline has passed.
var DeadlineExceeded = context.DeadlineExceeded

// Background returns the real empty context.
func Background() Context { return context.Background() }

// TODO returns the real empty context.
func TODO() Context { return context.TODO() }

// WithCancel returns a child of parent that is cancelled by cancel, or with its parent.
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	if !sched.Active() {
		return context.WithCancel(parent)
	}
	c := newCancelCtx(parent)
	return c, func() { c.cancel(true, Canceled, nil) }
}

// WithCancelCause is WithCancel with a function that records a cause.
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	if !sched.Active() {
		return context.WithCancelCause(parent)
	}
	c := newCancelCtx(parent)
	return c, func(cause error) { c.cancel(true, Canceled, cause) }
}

// WithDeadline returns a child of parent that is cancelled at d at the latest.
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is WithDeadline with a cause for when the deadline passes.
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	if !sched.Active() {
		return context.WithDeadlineCause(parent, d, cause)
	}
	check(parent)
	if earlier, ok := parent.Deadline(); ok && earlier.Before(d) {
		return WithCancel(parent)
	}
	c := &timerCtx{deadline: d}
	c.init()
	c.attach(parent, c)
	left := clock.Until(d)
	if left <= 0 {
		c.cancel(true, DeadlineExceeded, cause)
		return c, func() { c.cancel(false, Canceled, nil) }
	}
	if c.reason() == nil {
		end := func() { c.cancel(true, DeadlineExceeded, cause) }
		c.timer = sched.NewTimerFor(sched.Starts, "context.WithTimeout", left, func() { sched.GoAt("context.go", end) })
		if c.reason() != nil { // while it was being set
			c.timer.Stop()
		}
	}
	return c, func() { c.cancel(true, Canceled, nil) }
}

// WithTimeout is WithDeadline(parent, time.Now().Add(timeout)).
func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, clock.Now().Add(timeout))
}

// WithTimeoutCause is WithDeadlineCause(parent, time.Now().Add(timeout), cause).
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, clock.Now().Add(timeout), cause)
}

// WithValue returns a child of parent in which key has the value val.
func WithValue(parent Context, key, val any) Context {
	check(parent)
	if key == nil {
		panic("nil key")
	}
	if !reflect.TypeOf(key).Comparable() {
		panic("key is not comparable")
	}
	return &valueCtx{parent, key, val}
}

// WithoutCancel returns a child of parent that is not cancelled with it.
func WithoutCancel(parent Context) Context {
	check(parent)
	return withoutCancelCtx{context.WithoutCancel(parent), parent}
}

// AfterFunc makes f be called in a goroutine of its own when ctx is cancelled.
// The result prevents it and reports whether it did.
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	if !sched.Active() {
		return context.AfterFunc(ctx, sched.Early(f))
	}
	a := &afterFuncCtx{f: f}
	a.init()
	a.attach(ctx, a)
	return func() bool {
		stopped := a.claim()
		if stopped {
			a.cancel(true, Canceled, nil)
		}
		return stopped
	}
}

// Cause returns why c was cancelled, nil if it was not.
func Cause(c Context) error {
	if c.Err() == nil {
		return nil
	}
	if own, ok := c.Value(&ownKey).(*cancelCtx); ok {
		own.guard.Lock()
		defer own.guard.Unlock()
		if own.cause != nil {
			return own.cause
		}
	}
	return context.Cause(c)
}

func check(parent Context) {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
}
