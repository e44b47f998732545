package order

import (
	"testing"
	"time"

	"mendel/checker/driver"
	"mendel/checker/sched"
)

// An Option changes how an order is enforced.
type Option func(*run)

// Within sets how long an order may be without an event while goroutines go on. Here
// only Try needs it: for how long it waits for who sleeps.
func Within(d time.Duration) Option {
	return func(r *run) { r.within = d }
}

// Test runs f within orders.
func Test(t *testing.T, orders string, f func(t *testing.T), options ...Option) {
	t.Helper()
	play(t, enforce, orders, f, options)
}

// Try runs f within orders as far as they go.
func Try(t *testing.T, orders string, f func(t *testing.T), options ...Option) {
	t.Helper()
	play(t, try, orders, f, options)
}

// Expect runs f, and it is an error of t if events come in another order.
func Expect(t *testing.T, orders string, f func(t *testing.T), options ...Option) {
	t.Helper()
	play(t, expect, orders, f, options)
}

// Each runs f within each of the orders, in a subtest of its own.
func Each(t *testing.T, orders []string, f func(t *testing.T), options ...Option) {
	t.Helper()
	for _, o := range orders {
		driver.Of(t).Run(o, func(t *testing.T) {
			t.Helper()
			Test(t, o, f, options...)
		})
	}
}

// At passes the event. If an order says that other events come first, it waits for them.
func At(event string) {
	if r := now(); r != nil {
		r.at(event)
	}
}

// Go calls f in a new goroutine, between the events start@name and end@name.
func Go(name string, f func()) {
	sched.GoAt(name, func() {
		At("start@" + name)
		defer At("end@" + name)
		f()
	})
}

// play is Test, Try and Expect.
func play(t *testing.T, m mode, text string, f func(t *testing.T), options []Option) {
	t.Helper()
	o, err := parse(text)
	if err != nil {
		driver.Of(t).Fatalf("order: %v", err)
	}
	if !driver.Of(t).StaySerial() {
		driver.Of(t).Fatal("order: the test has called t.Parallel, and only one order at a time can be kept")
	}
	if !sched.Active() {
		f(t)
		return
	}
	r := newRun(o, m, options)
	r.begin()
	returned := false
	defer func() {
		t.Helper()
		if r.end(); returned {
			r.judge(t)
		}
	}()
	f(t)
	returned = true
}
