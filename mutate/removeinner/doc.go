// Package removeinner removes the inner of two nested critical sections.
//
// It mends deadlocks between two locks one of which is not needed where the
// other is held, and the self-deadlock of taking a lock twice: Go mutexes are
// not re-entrant.
//
//	b.mu.Lock()           b.mu.Lock()
//	b.log.mu.Lock()       b.total += n
//	b.total += n        → b.mu.Unlock()
//	b.log.mu.Unlock()
//	b.mu.Unlock()
//
// All releases of the inner section go with its acquisition, those on early
// exits and a deferred one included. The edit is flagged mutate.DropsGuard when
// a variable that the inner lock guards is used in the section, and
// mutate.DropsLock when none is known, unless the outer section holds the very
// same lock.
//
// It is the counterpart of CORE's RSAS (Kelk 2015).
//
// Refused are empty sections, sections that wait on a sync.Cond, and those
// whose lock is a local variable that would then be unused.
package removeinner
