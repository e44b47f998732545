package journal

import (
	"context"
	"sync"
	"time"
)

// A Clock measures the work on a run over the processes that took part in it.
// It goes by monotonic time, so that setting the machine's clock changes
// nothing. In a run that goes on it stands still until there is something new
// to do: what is only recalled costs no budget.
type Clock struct {
	mu     sync.Mutex
	before time.Duration // spent by earlier processes
	began  time.Time     // zero: it stands still
	limit  *limited      // to be told when it begins to go; nil: nobody
}

// Start lets the clock go, if it does not yet.
func (c *Clock) Start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.began.IsZero() {
		return
	}
	c.began = time.Now()
	if c.limit != nil {
		c.limit.start()
	}
}

// Hold sets the clock to what earlier processes have spent and stops it.
func (c *Clock) Hold(before time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before, c.began = before, time.Time{}
}

// Spent is the time of work until now.
func (c *Clock) Spent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began.IsZero() {
		return c.before
	}
	return c.before + time.Since(c.began)
}

// A limited context ends when a clock has shown the budget.
type limited struct {
	context.Context
	cancel context.CancelCauseFunc
	budget time.Duration // left
	timer  *time.Timer   // guarded by the clock; nil while that stands still
	ends   time.Time     // likewise
	clock  *Clock
}

// Within returns a context that ends when the clock shows the budget; the cause is
// context.DeadlineExceeded then.
func (c *Clock) Within(ctx context.Context, budget time.Duration) (context.Context, context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &limited{clock: c, budget: budget - c.before}
	l.Context, l.cancel = context.WithCancelCause(ctx)
	c.limit = l
	if !c.began.IsZero() {
		l.budget -= time.Since(c.began)
		l.start()
	}
	return l, l.stop
}

// start begins to count. The clock's mutex is held.
func (l *limited) start() {
	l.ends = time.Now().Add(l.budget)
	l.timer = time.AfterFunc(l.budget, func() { l.cancel(context.DeadlineExceeded) })
}

// stop ends the context and lets go of the clock.
func (l *limited) stop() {
	l.clock.mu.Lock()
	defer l.clock.mu.Unlock()
	l.clock.limit = nil
	if l.timer != nil {
		l.timer.Stop()
	}
	l.cancel(nil)
}

// Deadline is when the context ends or, while the clock stands still, would if
// it began to go now.
func (l *limited) Deadline() (time.Time, bool) {
	l.clock.mu.Lock()
	defer l.clock.mu.Unlock()
	ends := l.ends
	if l.timer == nil {
		ends = time.Now().Add(l.budget)
	}
	if parent, ok := l.Context.Deadline(); ok && parent.Before(ends) {
		return parent, true
	}
	return ends, true
}
