// Package lockstatement puts a critical section around a few statements that
// use shared variables:
//
//	                    // to.amount is also changed by Deposit
//	                    to.mu.Lock()
//	to.amount += n   →  to.amount += n
//	                    to.mu.Unlock()
//
// One edit covers one to four consecutive statements, the first and the last
// of which use a shared variable. The lock is one in scope, or a new one
// beside the variable. The read side of an RWMutex is taken around statements
// that only read.
//
// Statements that leave the section early, by return, break, continue, goto or
// panic, are covered in one of two forms. The unlock is deferred where the
// statements are the last of the function, or of a block that ends in a return,
// and where they are the whole function:
//
//	                    // a.total is also changed by Add
//	                    a.mu.Lock()
//	                    defer a.mu.Unlock()
//	return a.total   →  return a.total
//
// Elsewhere the lock is released before each exit, as long as what the exit
// evaluates needs no lock.
//
// An if or switch can be locked without the call that its init statement makes,
// which may take the same lock, or any time:
//
//	                              v := f()
//	                              // s.max is also read by Max
//	                              s.mu.Lock()
//	if v := f(); v > s.max {  →   if v > s.max {
//		s.max = v                     s.max = v
//	}                             }
//	                              s.mu.Unlock()
//
// It is the counterpart of CORE's ASAT (Kelk 2015).
//
// Left out are statements
//   - that access only fields beside a lock which is held,
//   - where the lock itself is held already,
//   - that lock or release it, or call a function which takes it,
//   - that assign to what it is reached through,
//   - with a label that a goto names,
//   - with a go or defer statement at either end.
package lockstatement
