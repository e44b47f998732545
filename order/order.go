package order

import (
	"testing"
	"time"
)

// An Option changes how an order is enforced.
type Option func(*run)

// Within sets how long an order may be without an event while goroutines go
// on. The default is ten seconds.
func Within(d time.Duration) Option {
	return func(r *run) { r.within = d }
}

// Test runs f within orders. Goroutines wait at events until it is their turn. It is an
// error of t if the orders cannot be kept, or if an event that they name does not come.
func Test(t *testing.T, orders string, f func(t *testing.T), options ...Option) {
	t.Helper()
	play(t, enforce, orders, f, options)
}

// Try runs f within orders as far as they go. When nothing else can go on, the goroutine that
// waits longest goes on too early, and this is logged.
func Try(t *testing.T, orders string, f func(t *testing.T), options ...Option) {
	t.Helper()
	play(t, try, orders, f, options)
}

// Expect runs f, and it is an error of t if events come in another order. No goroutine
// waits for an event. Events that do not come are logged.
func Expect(t *testing.T, orders string, f func(t *testing.T), options ...Option) {
	t.Helper()
	play(t, expect, orders, f, options)
}

// Each runs f within each of the orders, in a subtest of its own, as Test does.
// In a bubble of testing/synctest there are no subtests.
func Each(t *testing.T, orders []string, f func(t *testing.T), options ...Option) {
	t.Helper()
	for _, o := range orders {
		o := o
		t.Run(o, func(t *testing.T) {
			t.Helper()
			Test(t, o, f, options...)
		})
	}
}

// At passes the event. If an order says that other events come first, it waits for them.
func At(event string) {
	hide()
	if r, _ := current.Load().(*run); r != nil {
		r.at(event)
	}
	show()
}

// Go calls f in a new goroutine. It passes the event start@name before, and
// end@name when f has returned.
func Go(name string, f func()) {
	go func() {
		At("start@" + name)
		defer At("end@" + name)
		f()
	}()
}
