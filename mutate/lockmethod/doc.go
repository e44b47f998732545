// Package lockmethod locks the receiver's own mutex for a whole method, and
// adds the mutex to the type if it has none:
//
//	func (a *Account) Deposit(n        func (a *Account) Deposit(n
//	    int) {                             int) {
//	                               →     a.mu.Lock()
//	                                     defer a.mu.Unlock()
//	  a.amount += n                      a.amount += n
//	}                                  }
//
// It mends types whose methods are called by several goroutines and where one
// method, or all, do not lock. Methods that only read take the
// read side of an RWMutex. A receiver without a name gets one.
//
// Deferred calls that the body begins with, as defer wg.Done(), stay in front
// and so run when the lock is free again.
//
// It is the counterpart of CORE's ASIM (Kelk 2015).
//
// Left out are methods that take or release the lock already or call a method
// of the same receiver that takes it, and methods with a value receiver, whose
// mutex would be a copy.
package lockmethod
