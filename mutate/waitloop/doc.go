// Package waitloop checks a condition again after waiting for it: an if around
// a Wait of a condition variable becomes a loop.
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
// Left out is an if
//   - with an else,
//   - whose body does not end in the Wait, unless it only counts down behind it what it counted up before it,
//   - whose condition uses no shared variable and calls no function of the module: it would never change,
//   - whose init statement is neither a definition nor an assignment,
//   - with a break or continue, which would now be the new loop's.
//
// A Wait without a condition around it is left alone.
package waitloop
