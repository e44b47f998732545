// Package unlockmethod removes the receiver's lock from a whole method.
//
// It undoes the Go form of a synchronized method, where that lock deadlocks
// with another or is taken by every caller already.
//
//	func (c *Cache) size() int {      func (c *Cache) size() int {
//		c.mu.Lock()                     return len(c.items)
//		defer c.mu.Unlock()        →  }
//		return len(c.items)
//	}
//
// The edit is flagged mutate.DropsGuard when the method uses a variable that
// the lock guards, unless every call of it is made with the lock held, by name
// or through an interface, in a deferred call or a literal that runs at once;
// the method's comment says so then. Where no such variable is known it is
// flagged mutate.DropsLock.
//
// It is the counterpart of CORE's RSIM (Kelk 2015).
//
// Refused are methods that do anything before the lock, locks that are not
// reached through the receiver (see package unlockbody), methods that wait on
// a sync.Cond, and those that do nothing under the lock, unless every call of
// them is made with it held.
package unlockmethod
