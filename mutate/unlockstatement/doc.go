// Package unlockstatement removes the lock around one statement.
//
// It takes back a lock that is not needed there: one that deadlocks with
// another, or one that an optimisation of a fix finds superfluous.
//
//	c.mu.Lock()
//	n := cap(c.items)  →  n := cap(c.items)
//	c.mu.Unlock()
//
// Releases before early exits inside the statement go too. The edit is flagged
// mutate.DropsGuard when the statement uses a variable that the lock guards,
// and mutate.DropsLock when none is known.
//
// It is the counterpart of CORE's RAV (Kelk 2015).
//
// Refused are sections of more than one statement, statements that wait on a
// sync.Cond, deferred releases (see package unlockmethod and package
// unlockbody), and locks in a local variable that would then be unused.
package unlockstatement
