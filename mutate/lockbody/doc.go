// Package lockbody locks any lock in scope for a whole function: a lock of a
// parameter, of a captured or package variable, or a new one beside the
// variable that the function uses.
//
//	                          func record(s *stats, n int) {
//	                            // s.total is also read by report
//	func record(s *stats, n     s.mu.Lock()
//	    int) {                → defer s.mu.Unlock()
//	  s.total += n              s.total += n
//	  s.count++                 s.count++
//	}                         }
//
// It mends functions and function literals that use variables of something
// they do not belong to. It is the bluntest of the operators that add locks:
// a goroutine whose whole body is under one lock is no longer concurrent, and a
// fix that does so is flagged.
//
// Deferred calls that the body begins with, as defer wg.Done(), stay in front
// and so run when the lock is free again.
//
// It is the counterpart of CORE's ASM (Kelk 2015).
//
// Left out are functions that take or release the lock already or call one
// that takes it, init, main and tests, and the receiver's own locks, which are
// those of lockmethod.
package lockbody
