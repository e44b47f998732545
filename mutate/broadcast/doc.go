// Package broadcast wakes all goroutines that wait for a condition variable
// where one was woken:
//
//	                      // Signal may wake one that cannot go on: wake all
//	b.changed.Signal()  → b.changed.Broadcast()
//
// It mends lost signals: goroutines that wait for different things share one
// sync.Cond, and the one that Signal wakes is not the one that could go on. It
// goes back to wait, and nobody wakes the other. CORE has no counterpart and
// fails on such a program, buffer (Kelk 2015, section 4.3).
//
// One edit replaces one call. Any Signal left over may be the one that is
// lost, so a composite edit replaces all on one condition variable, which is a
// variable, or a field of any value; and another one replaces all on the condition
// variables of a type of which it has several: who is woken for one thing wakes others for the next.
//
// A wake-up may also stand under a condition that is not the one of those who wait: they
// were told only when the queue had been empty, or full. In form always it is made each time:
//
//	                          // who waits may wait for less: wake all each time
//	if len(q.items) == 1 {  → q.changed.Broadcast()
//		q.changed.Signal()
//	}
//
// A composite edit does so with all condition variables of a type, whose waiters depend on
// each other: who was woken may be the one to wake others.
//
// Left out are conditions that do something, or after which something else is done, and
// method values, as in f := c.Signal, and method expressions.
package broadcast
