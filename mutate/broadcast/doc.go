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
// variable, or a field of any value.
//
// Left out are method values, as in f := c.Signal, and method expressions.
package broadcast
