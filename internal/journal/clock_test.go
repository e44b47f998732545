package journal

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// The clock counts from its start on what earlier processes have spent, and
// ends its context when the budget is spent.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Clock
		c.Hold(40 * time.Second)
		ctx, cancel := c.Within(t.Context(), time.Minute)
		defer cancel()
		time.Sleep(time.Hour)
		if got := c.Spent(); got != 40*time.Second || ctx.Err() != nil {
			t.Errorf("it has not begun, and shows %v; %v", got, ctx.Err())
		}
		if ends, ok := ctx.Deadline(); !ok || time.Until(ends) != 20*time.Second {
			t.Errorf("the context ends in %v, %t", time.Until(ends), ok)
		}
		c.Start()
		time.Sleep(15 * time.Second)
		c.Start()
		synctest.Wait()
		if got := c.Spent(); got != 55*time.Second || ctx.Err() != nil {
			t.Errorf("after 15 s it shows %v; %v", got, ctx.Err())
		}
		child, stop := context.WithTimeout(ctx, time.Hour)
		defer stop()
		if ends, _ := child.Deadline(); time.Until(ends) != 5*time.Second {
			t.Errorf("a context below it ends in %v", time.Until(ends))
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if ctx.Err() == nil || child.Err() == nil {
			t.Error("the budget is spent, and the context goes on")
		}
		if cause := context.Cause(child); cause != context.DeadlineExceeded {
			t.Errorf("the budget is spent, and the cause is %v", cause)
		}
	})
}

// A context whose parent ends sooner says so; a clock that goes counts for one
// that is made later.
func TestClockWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Clock
		c.Start()
		time.Sleep(10 * time.Second)
		parent, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		ctx, cancel := c.Within(parent, time.Minute)
		if ends, _ := ctx.Deadline(); time.Until(ends) != 3*time.Second {
			t.Errorf("it ends in %v, later than its parent", time.Until(ends))
		}
		cancel()
		other, cancel := c.Within(t.Context(), time.Minute)
		defer cancel()
		if ends, _ := other.Deadline(); time.Until(ends) != 50*time.Second {
			t.Errorf("it ends in %v", time.Until(ends))
		}
		if ctx.Err() == nil || other.Err() != nil {
			t.Errorf("%v, %v", ctx.Err(), other.Err())
		}
	})
}
