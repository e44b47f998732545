// Package addlock puts code that uses shared variables into a critical section.
//
// The lock is one in scope, or a new one beside the variable. The read side of an
// RWMutex is taken around code that only reads. Form statement covers one to four
// consecutive statements, the first and the last of which use a shared variable, or
// all from the first such statement of a list to the last:
//
//	                    // to.amount is also changed by Deposit
//	                    to.mu.Lock()
//	to.amount += n   →  to.amount += n
//	                    to.mu.Unlock()
//
// Statements that leave the section early, by return, break, continue, goto or
// panic, are covered in one of two ways. The unlock is deferred where the
// statements are the last of the function, or of a block that ends in a return,
// and where they are the whole function:
//
//	                    a.mu.Lock()
//	                    defer a.mu.Unlock()
//	return a.total   →  return a.total
//
// Elsewhere the lock is released before each exit, as long as what the exit
// evaluates needs no lock; where a branch waits before it leaves, and does not use
// what is shared any more, before that.
//
// Form init locks an if or switch without the call that its init statement makes,
// which may take the same lock, or any time:
//
//	                              v := f()
//	                              // s.max is also read by Max
//	                              s.mu.Lock()
//	if v := f(); v > s.max {  →   if v > s.max {
//		s.max = v                     s.max = v
//	}                             }
//	                              s.mu.Unlock()
//
// Form value makes a call first whose results are assigned, or appended, if it needs nothing that is
// shared and may take long: it is of the program's code, of a function value or an interface, or waits.
//
//	                              answer := ask(ctx)
//	                              // answers is also read by All
//	                              mu.Lock()
//	answers[i] = ask(ctx)     →   answers[i] = answer
//	                              mu.Unlock()
//
// Form before-call ends before a call of code that others have given, as the last of the
// statements: that may come back and take the lock. What it is given is evaluated
// in the section:
//
//	                          // j.state is also changed by Cancel
//	                          r.mu.Lock()
//	if j.state == running {   if j.state == running {
//		j.state = done    →   	j.state = done
//	}                         }
//	                          report := j.report()
//	                          r.mu.Unlock()
//	if r.onEnd != nil {       if r.onEnd != nil {
//		r.onEnd(j.report())   	r.onEnd(report)
//	}                         }
//
// Form method locks the receiver's own mutex for a whole method, and adds the
// mutex to the type if it has none. A receiver without a name gets one:
//
//	func (a *Account) Deposit(n        func (a *Account) Deposit(n
//	    int) {                             int) {
//	                               →     a.mu.Lock()
//	                                     defer a.mu.Unlock()
//	  a.amount += n                      a.amount += n
//	}                                  }
//
// Form body locks any other lock for a whole function or function literal: that
// of a parameter, of a captured or package variable, or a new one. It is the
// bluntest: a goroutine whose whole body is under one lock is no longer
// concurrent, and a fix that does so is flagged. Deferred calls that a body
// begins with, as defer wg.Done(), stay in front of its lock and so run when that
// is free again.
//
// The forms are the counterparts of CORE's ASAT, ASIM and ASM (Kelk 2015).
//
// Left out are statements
//   - that access only fields beside a lock which is held,
//   - where the lock itself is held already,
//   - that lock or release it, or call a function which takes it,
//   - that assign to what it is reached through,
//   - with a label that a goto names,
//   - with a go or defer statement at either end,
//
// and bodies of functions that take or release the lock already or call one that
// takes it, of init, main and tests, and, for the receiver's own lock, of methods
// with a value receiver, whose mutex would be a copy.
package addlock
