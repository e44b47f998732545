// Package shrinkend lets a critical section end before its last statements.
//
// It mends deadlocks in which a lock is still held while something else is
// waited for, and shortens what a fix made too long:
//
//	s.mu.Lock()               s.mu.Lock()
//	defer s.mu.Unlock()       s.n++
//	s.n++                   → // release s.mu before s.notify is called
//	s.notify()                s.mu.Unlock()
//	                          s.notify()
//
// One edit leaves 1, 2, ... up to mutate.MaxMoves statements outside and at
// least one inside. A deferred release is written out: where the section now
// ends, and before each return, break or panic that stays inside. Releases in
// what is left outside are removed. The edit is flagged mutate.DropsGuard when
// what is left outside uses a variable that the lock guards.
//
// It is the counterpart of CORE's SHSA (Kelk 2015).
//
// Refused are
//   - deferred releases in a function literal, and such as do not follow their acquisition,
//   - writing out a deferred release before an exit whose value needs the lock, as in "return c.n",
//     or when the section holds other defers, which run under the lock now,
//   - leaving a sync.Cond.Wait outside, which needs its lock,
//   - ends inside the section of another lock.
package shrinkend
