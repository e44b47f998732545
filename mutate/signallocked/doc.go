// Package signallocked changes a condition, and wakes those who wait for it,
// under the lock of the condition variable:
//
//	                        // whoever waits looks at done under q.mu
//	q.done = true           q.mu.Lock()
//	q.ready.Broadcast()  →  q.done = true
//	                        q.ready.Broadcast()
//	                        q.mu.Unlock()
//
// It mends lost wake-ups: a goroutine has found, under the lock, that it has
// to wait; it is signalled before it does, and then waits for ever. Signalling
// without the lock is allowed; changing the condition without it is the bug
// (Lampson and Redell, Experience with Processes and Monitors in Mesa, 1980,
// call such a wake-up naked). Tu et al. (Understanding Real-World Concurrency
// Bugs in Go, ASPLOS 2019, section 5) find blocking misuse of Cond in Go.
//
// The lock is the one held where the condition variable is waited for. The
// section begins at the first statement of the list that writes, without the
// lock, a variable that a waiting function uses; if there is none, as when the
// condition is about an atomic variable, the lock is held around the signal only.
//
// Where a condition variable is signalled at several such places, a composite
// edit has all of them.
//
// Left out is a signal
//   - with the lock held, by a caller too, or after a section that made the change,
//   - that is deferred, or part of a larger statement,
//   - that could only be locked together with a way out or a statement that waits or takes the lock.
package signallocked
