// Package lockcaller puts one critical section around several calls of functions
// that use the same variables, from the first such call of a function to its last.
//
//	func (l *Lottery) assign(user    func (l *Lottery) assign(user int) {
//	    int) {                         // draw, taken and record use l.number together
//	  l.draw()                         l.numberMu.Lock()
//	  for l.taken() {            →     defer l.numberMu.Unlock()
//	    l.draw()                       l.draw()
//	  }                                ...
//	  l.record(user)                   l.record(user)
//	}                                }
//
// It mends steps each of which is right and which are wrong together, such as
// a check and an action that relies on it. Calls by name are followed three
// deep. Fields count as the same if the function can name the value that they
// belong to: through receivers and parameters it is followed back to the
// caller.
//
// The lock is one of that value which no callee takes; else a new one. In a
// struct that has mutexes for other purposes, the new one is named after the
// field it guards. If the callees hold locks of their own around the accesses,
// the edit is offered for fields for which they do not agree on a lock.
//
// A single call in a loop is the last to be tried. Its section goes around the
// loop.
//
// It widens ASAT and ASM of CORE (Kelk 2015) to accesses in callees. CORE's
// author names a program, Lottery, that needs such a section.
//
// Left out are sections that are the whole body of a goroutine or its one loop,
// which are addlock's; those in which something waits; those where a lock of the
// value is held already, here or by a caller; and those in which the value is
// assigned to between the calls. A section of the lock that the callees take
// needs the callees split: see package hoist.
package lockcaller
