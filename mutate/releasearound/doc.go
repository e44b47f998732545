// Package releasearound releases a lock around one statement of its critical
// section that waits for others.
//
// It mends deadlocks between a lock held by a caller and another that its
// callee takes, where a second goroutine takes them the other way round, and
// goroutines that wait for a channel with a lock that its other end needs:
//
//	s.mu.Lock()                        s.mu.Lock()
//	defer s.mu.Unlock()                defer s.mu.Unlock()
//	for i := 0; i < len(s.queue); i++ {  for i := 0; i < len(s.queue); i++ {
//		s.send()                   →       // s.send takes other locks: not under s.mu
//	}                                      s.mu.Unlock()
//	                                       s.send()
//	                                       s.mu.Lock()
//	                                   }
//
// Unlike a shorter section or none, it keeps what the lock guards guarded: the
// length of the queue above is still read under it. CORE has no counterpart,
// since Java monitors cannot be left for a while; people who mend such
// deadlocks by hand do it.
//
// The statement is a call, an assignment or variable declaration with a call
// or receive on its right, a send or a select, and may be nested in the
// section's branches and loops. The edit is flagged mutate.DropsGuard when the
// call's operands use a variable that the lock guards.
//
// Refused are statements that
//   - neither block nor take another lock in a callee,
//   - lock or unlock themselves, or wait on a sync.Cond, which releases its lock itself,
//   - leave the section: return, panic, break out of it,
//   - use what the lock guards other than to evaluate a call,
//   - stand in an inner section too: the lock would be taken again in the opposite order,
//   - begin the section, or end it before an explicit release: packages shrinkstart and shrinkend do better,
//   - stand where another variable hides the lock's.
package releasearound
