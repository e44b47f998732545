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
// Unlike a shorter section or none, it leaves everything else under the lock: the
// length of the queue above is still read under it. People mend such deadlocks
// by hand in this way, and Liu et al. (GCatch/GFix, ASPLOS 2021) find channel
// operations inside critical sections to be a class of their own. CORE has no
// counterpart, since Java monitors cannot be left for a while.
//
// The statement is a call, an assignment or variable declaration with a call
// or receive on its right, a send or a select, and may be nested in the
// section's branches and loops. An operation that is part of another statement
// is taken out of it: the init statement of an if or switch, and a call or
// receive in a condition, in what is returned, or assigned to what is guarded:
//
//	                          q.mu.Unlock()
//	                          result := <-q.items
//	q.last = <-q.items    →   q.mu.Lock()
//	                          q.last = result
//
// A select whose cases return or need the lock acquires it in each case:
//
//	                          q.mu.Unlock()
//	select {                  select {
//	case <-stop:              case <-stop:
//		return                    q.mu.Lock()
//	case n := <-q.items:  →       return
//		q.sum += n            case n := <-q.items:
//	}                             q.mu.Lock()
//	                              q.sum += n
//	                          }
//
// Operands that the lock guards are evaluated before the release, into
// variables (captures.Capture). Where they cannot be, or the callee uses what the
// lock guards, the edit is flagged mutate.DropsGuard.
//
// Refused are statements that
//   - do not wait, and call nothing that may wait or take another lock,
//   - lock or unlock themselves, but for a lock that is taken for a goroutine to release, or wait on a sync.Cond, which releases its lock itself,
//   - leave the section, other than from a select's case or with the operation's result,
//   - assign to what the lock guards other than the result, or compute that from it: an update in between would be lost,
//   - evaluate the operation only sometimes (behind && and ||), or more than one, but for a condition that uses nothing
//     which the lock guards: all of it is taken out of its if,
//   - stand in an inner section too: the lock would be taken again in the opposite order,
//   - begin the section without anything to evaluate under the lock, or end it before
//     an explicit release: packages shrinkstart and shrinkend do better,
//   - stand where another variable hides the lock's, or an init statement's variable would hide another one.
package releasearound
