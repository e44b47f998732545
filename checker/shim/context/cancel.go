package context

import (
	"context"
	"slices"
	"sync"

	"mendel/checker/sched"
)

// ownKey is the key for which a cancelCtx returns itself.
var ownKey int

// A canceler is a context that its parent can cancel.
type canceler interface {
	cancel(remove bool, err, cause error)
	Done() <-chan struct{}
}

// A cancelCtx can be cancelled.
type cancelCtx struct {
	Context             // parent
	stop    func() bool // ends the watch on a parent of another package; nil otherwise
	done    chan struct{}
	object  sched.Object
	idle    func() bool

	guard    sync.Mutex // of the fields below: other code may ask too; never held at a step
	busy     bool       // being cancelled
	closed   bool       // done is
	asked    bool       // somebody has asked for done
	children []canceler // nil once cancelled
	err      error
	cause    error
	real     Context // once cancelled: one of the real package's with the same cause
}

func newCancelCtx(parent Context) *cancelCtx {
	check(parent)
	c := &cancelCtx{}
	c.init()
	c.attach(parent, c)
	return c
}

func (c *cancelCtx) init() {
	c.done = sched.MakeChan[struct{}](0)
	sched.Unbubble(c.done) // until somebody asks for it
	c.idle = func() bool { return !c.busy }
}

// attach makes child, of which c is the core, follow parent.
func (c *cancelCtx) attach(parent Context, child canceler) {
	c.Context = parent
	done := parent.Done()
	if done == nil {
		return // never cancelled
	}
	if p := coreOf(parent); p != nil {
		p.adopt(child)
		return
	}
	if err := parent.Err(); err != nil {
		child.cancel(false, err, Cause(parent))
		return
	}
	if a, ok := parent.(interface{ AfterFunc(func()) func() bool }); ok {
		c.stop = a.AfterFunc(func() { child.cancel(false, parent.Err(), Cause(parent)) })
		return
	}
	sched.GoAt("context", func() {
		if sched.Select(sched.From(done), sched.From(child.Done())) == 0 {
			child.cancel(false, parent.Err(), Cause(parent))
		}
	})
}

// coreOf returns the cancelCtx that decides when ctx is cancelled; nil when it
// is not of this package.
func coreOf(ctx Context) *cancelCtx {
	c, ok := ctx.Value(&ownKey).(*cancelCtx)
	if !ok || (<-chan struct{})(c.done) != ctx.Done() {
		return nil
	}
	return c
}

// change is a step that no cancellation in progress overlaps.
func (c *cancelCtx) change(what string) {
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &c.object, Enabled: c.idle, What: what})
	sched.Acquire(&c.object)
}

// adopt adds a child, or cancels it if c is cancelled.
func (c *cancelCtx) adopt(child canceler) {
	c.change("context: new child")
	c.guard.Lock()
	err, cause := c.err, c.cause
	if err == nil {
		c.children = append(c.children, child)
	}
	c.guard.Unlock()
	sched.Release(&c.object)
	if err != nil {
		child.cancel(false, err, cause)
	}
}

// detach removes child, of which c is the core, from its parent.
func (c *cancelCtx) detach(child canceler) {
	if c.stop != nil {
		c.stop()
		return
	}
	if c.Context.Done() == nil {
		return
	}
	p := coreOf(c.Context)
	if p == nil {
		return
	}
	p.change("context: child removed")
	p.guard.Lock()
	if i := slices.Index(p.children, child); i >= 0 {
		p.children = slices.Delete(p.children, i, i+1)
	}
	p.guard.Unlock()
	sched.Release(&p.object)
}

func (c *cancelCtx) cancel(remove bool, err, cause error) {
	if c.end(err, cause) && remove {
		c.detach(c)
	}
}

// end cancels c and its children, and reports whether it was c's first end.
func (c *cancelCtx) end(err, cause error) bool {
	if cause == nil {
		cause = err
	}
	c.change("context: cancel")
	if c.reason() != nil {
		return false
	}
	real, cancelReal := context.WithCancelCause(context.Background())
	cancelReal(cause)
	c.guard.Lock()
	children := c.children
	c.err, c.cause, c.real, c.busy, c.children = err, cause, real, true, nil
	c.guard.Unlock()
	sched.Release(&c.object)

	sched.Close(c.done)
	if sched.Active() { // otherwise Close has closed the real one
		close(c.done)
	}
	c.guard.Lock()
	c.closed = true
	c.guard.Unlock()
	for _, child := range children {
		child.cancel(false, err, cause)
	}

	sched.Do(sched.Op{Kind: sched.KindRelease, Obj: &c.object, What: "context: cancelled"})
	c.guard.Lock()
	c.busy = false
	c.guard.Unlock()
	sched.Release(&c.object)
	return true
}

// reason returns why c was cancelled, without a step.
func (c *cancelCtx) reason() error {
	c.guard.Lock()
	defer c.guard.Unlock()
	return c.err
}

// Done returns the channel that is closed when c is cancelled.
func (c *cancelCtx) Done() <-chan struct{} {
	c.guard.Lock()
	defer c.guard.Unlock()
	if !c.asked && c.err == nil {
		sched.Enbubble(c.done) // the real package makes it now
	}
	c.asked = true
	return c.done
}

// Err returns why c was cancelled, after its channel has been closed.
func (c *cancelCtx) Err() error {
	sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &c.object, Read: true, What: "context: Err"})
	c.guard.Lock()
	err, closed := c.err, c.closed
	c.guard.Unlock()
	if err == nil {
		return nil
	}
	sched.Acquire(&c.object)
	if !closed {
		sched.Recv(c.done)
	}
	return err
}

// Value returns the value of key here or above.
func (c *cancelCtx) Value(key any) any {
	if key == &ownKey {
		return c
	}
	c.guard.Lock()
	real := c.real
	c.guard.Unlock()
	if real != nil {
		if v := real.Value(key); v != nil {
			return v // asked by the real Cause
		}
	}
	return c.Context.Value(key)
}

// AfterFunc is for the real package's contexts below c.
func (c *cancelCtx) AfterFunc(f func()) func() bool { return AfterFunc(c, f) }

func (c *cancelCtx) String() string { return name(c.Context) + ".WithCancel" }
