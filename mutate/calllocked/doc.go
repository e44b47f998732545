// Package calllocked calls, in a critical section, functions that no longer
// take its lock.
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
// goroutine that holds a lock and calls a function which takes it waits for
// itself. The read side of an RWMutex can be taken twice, unless a writer
// comes in between: the writer waits for the first, the second for the writer.
// Both are common (Tu et al., Understanding Real-World Concurrency Bugs in Go,
// ASPLOS 2019, section 5.1); the usual fix is a variant that expects the lock
// to be held. CORE has no counterpart, since Java's monitors can be taken
// twice.
//
// The function called is split into one that locks and its variant, as package
// hoist does. If it already has a variant, because it wraps one or because a
// function has the name and type of one, that is called. A function that nothing
// else calls loses its lock instead, and its comment says who holds it.
//
// A section of the read side that calls what takes the write side becomes one of
// the write side with that (form upgrade).
//
// A function without a section whose callers all hold the lock makes such calls the same way (form entry): the
// section may be many calls away, and lead there by way of recursion.
//
// One edit is for all such calls in one critical section. They may be
//   - of methods and functions, on any value that the lock's name leads to,
//   - of functions that call such a function in turn, some calls deep: each on
//     the way then takes the lock itself, for its whole body, and has a variant,
//   - of the function itself,
//   - deferred behind the deferred release, and in literals that run at once.
//
// A function that holds its lock in a part of its body holds it for the whole
// body when it is split. If a parameter only asks for the lock (if lock
// { c.mu.Lock(); ... }), another edit passes false instead of true. That edit is
// flagged mutate.DropsGuard when the function uses anything shared, since the
// caller may not hold the lock.
//
// Left out are calls
//   - that do not certainly reach the very same lock: through an interface
//     or a function value, or on a value whose name does not show it,
//   - from another package, where a variant could not be named,
//   - of generic functions, of those with nameless parameters, and of those
//     that take the lock in part and wait for others or defer calls beside it;
//     package releasearound may release the lock for them.
package calllocked
