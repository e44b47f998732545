// Package removelock removes the lock of a critical section.
//
// It takes back a lock that is not needed: one that deadlocks with another, one
// that every caller holds already (Go mutexes are not re-entrant), or one that an
// optimisation of a fix finds superfluous. The forms are the sections it chooses:
//
//   - statement: one statement between a lock and an unlock,
//   - method: a whole method under the receiver's lock, released by a deferred
//     call, which is Java's synchronized method,
//   - body: any other whole function or function literal; a return of names and
//     literals may follow,
//   - inner: the inner of two nested sections.
//
// Form method:
//
//	func (c *Cache) size() int {      func (c *Cache) size() int {
//		c.mu.Lock()                     return len(c.items)
//		defer c.mu.Unlock()        →  }
//		return len(c.items)
//	}
//
// Form inner:
//
//	b.mu.Lock()           b.mu.Lock()
//	b.log.mu.Lock()       b.total += n
//	b.total += n        → b.mu.Unlock()
//	b.log.mu.Unlock()
//	b.mu.Unlock()
//
// All releases go with the acquisition, those on early exits and a deferred one
// included. The edit is flagged mutate.DropsGuard when a variable that the lock
// guards is used in the section, and mutate.DropsLock when none is known, unless
// the outer section holds the very same lock, or every call of the function is
// made with the lock held, by name or through an interface, in a deferred call or
// a literal that runs at once; the function's comment says so then.
//
// The forms are the counterparts of CORE's RAV, RSIM, RSM and RSAS (Kelk 2015).
//
// Refused are sections that wait on a sync.Cond, locks in a local variable that
// would then be unused, and empty sections, unless the lock is held by every
// caller.
package removelock
