package context

import (
	"context"
	"reflect"
	"time"

	"mendel/checker/sched"
	clock "mendel/checker/shim/time"
)

// A timerCtx is a cancelCtx with a deadline.
type timerCtx struct {
	cancelCtx
	deadline time.Time
	timer    *sched.Timer // nil once stopped
}

func (c *timerCtx) Deadline() (time.Time, bool) { return c.deadline, true }

func (c *timerCtx) cancel(remove bool, err, cause error) {
	c.end(err, cause)
	if remove {
		c.detach(c)
	}
	if t := c.timer; t != nil {
		c.timer = nil
		t.Stop()
	}
}

func (c *timerCtx) String() string {
	return name(c.Context) + ".WithDeadline(" + c.deadline.String() + " [" +
		clock.Until(c.deadline).String() + "])"
}

// An afterFuncCtx is a child that calls a function when it is cancelled.
type afterFuncCtx struct {
	cancelCtx
	f       func()
	once    sched.Object
	claimed bool
}

// claim reports whether it is the first call: f is called, or prevented.
func (a *afterFuncCtx) claim() bool {
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &a.once, What: "context.AfterFunc"})
	sched.Acquire(&a.once)
	sched.Release(&a.once)
	first := !a.claimed
	a.claimed = true
	return first
}

func (a *afterFuncCtx) cancel(remove bool, err, cause error) {
	a.end(err, cause)
	if remove {
		a.detach(a)
	}
	if a.claim() {
		sched.GoAt("context.AfterFunc", func() { a.f() })
	}
}

// A valueCtx has a value.
type valueCtx struct {
	Context
	key, val any
}

func (c *valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return c.Context.Value(key)
}

// AfterFunc is for the real package's contexts below c.
func (c *valueCtx) AfterFunc(f func()) func() bool { return AfterFunc(c.Context, f) }

func (c *valueCtx) String() string {
	return name(c.Context) + ".WithValue(" + text(c.key) + ", " + text(c.val) + ")"
}

// A withoutCancelCtx is not cancelled with its parent. It is the real context,
// but keeps the keys of both packages to itself.
type withoutCancelCtx struct {
	Context
	parent Context
}

func (c withoutCancelCtx) Value(key any) any {
	if key == &ownKey {
		return nil
	}
	return c.Context.Value(key)
}

func (c withoutCancelCtx) String() string { return name(c.parent) + ".WithoutCancel" }

var _ = []context.Context{&cancelCtx{}, &timerCtx{}, &afterFuncCtx{}, &valueCtx{}, withoutCancelCtx{}}

type stringer interface{ String() string }

func name(c Context) string {
	if s, ok := c.(stringer); ok {
		return s.String()
	}
	return reflect.TypeOf(c).String()
}

func text(v any) string {
	switch s := v.(type) {
	case stringer:
		return s.String()
	case string:
		return s
	case nil:
		return "<nil>"
	}
	return reflect.TypeOf(v).String()
}
