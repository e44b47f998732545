// Package calllocked lets what is called with a lock held take it no more.
//
//	func (c *Cache) Trim() {            func (c *Cache) Trim() {
//		c.mu.Lock()                         c.mu.Lock()
//		defer c.mu.Unlock()                 defer c.mu.Unlock()
//		for c.Len() > max {         →       for c.lenLocked() > max {
//			c.drop()                            c.drop()
//		}                                   }
//	}                                   }
//
// It mends double locking: Go's locks cannot be taken twice, so that a
// goroutine which calls a function that takes a lock it holds waits for itself.
// The read side of an RWMutex can be, until a writer comes in between: it waits
// for the first, and the second for it. Both are common (Tu et al.,
// Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, section 5.1);
// the usual fix is a variant that expects the lock to be held. CORE has no
// counterpart, since Java's monitors can be taken twice.
//
// The function called is split into one that locks and its variant, as package
// hoist does; where there is a variant already, that the function wraps or
// that has the name and type of one, it is called. A function that nothing
// else calls loses its lock instead, and its comment says who holds it.
//
// One edit is for all such calls in one critical section. They may be
//   - of methods and functions, on any value that the lock's name leads to,
//   - of functions that call such a function in turn, some calls deep: each on
//     the way takes the lock itself then, for all it does, and has a variant,
//   - of the function itself,
//   - deferred behind the deferred release, and in literals that run at once.
//
// A function that takes its lock in part takes it for all it does when it is
// split. Where it has a parameter for nothing but to ask for the lock (if lock
// { c.mu.Lock(); ... }), another edit withdraws the request: the call says
// false instead of true. It is flagged mutate.DropsGuard when the function uses
// anything shared, since the caller may not hold the lock.
//
// Left out are calls
//   - that do not certainly come to the very same lock: through an interface
//     or a function value, or on a value whose name does not show it,
//   - from another package, where a variant could not be named,
//   - of functions that write under a lock that is held for reading only,
//   - of generic functions, of those with nameless parameters, and of those
//     that take the lock in part and wait for others or defer calls beside it;
//     package releasearound may release the lock for them.
package calllocked
