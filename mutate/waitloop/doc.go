// Package waitloop checks a condition again after waiting for it: an if around
// a Wait of a condition variable becomes a loop, and a loop waits for less.
//
//	                        // l.ready may not hold any more when Wait returns
//	if !l.ready {         → for !l.ready {
//		l.changed.Wait()        l.changed.Wait()
//	}                       }
//
// It mends goroutines that go on although another one has taken what they were
// woken for: between Broadcast and the return of Wait anything may happen, and
// goroutines that wait for something else are woken, too. CORE has no counterpart.
//
// What an if decides by its init statement is decided again before each iteration:
//
//	if n := l.len(); n == 0 {  →  for n := l.len(); n == 0; n = l.len() {
//
// The second form lets a loop end for what the function looks at behind it, an error that
// it returns or checks, or a flag for which it leaves:
//
//	                      // p.err ends the wait, too
//	for !p.ready() {    → for !p.ready() && p.err == nil {
//		p.changed.Wait()        p.changed.Wait()
//	}                     }
//	return p.err          return p.err
//
// It mends goroutines that wait for a success when there has been a failure or a
// close. One edit adds one field to a condition that does not consult it, itself or in
// what it calls.
//
// Left out is an if
//   - with an else,
//   - whose body does not end in the Wait, unless it only counts down behind it what it counted up before it,
//   - whose condition uses no shared variable and calls no function of the module: it would never change,
//   - whose init statement is neither a definition nor an assignment,
//   - with a break or continue, which would now be the new loop's.
//
// A Wait without a condition around it is left alone.
package waitloop
