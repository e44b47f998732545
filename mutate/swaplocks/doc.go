// Package swaplocks swaps the order of two nested acquisitions.
//
// Two functions that take the same two locks in opposite order can each end up
// holding one and waiting for the other. Taking them in one order everywhere
// ends that:
//
//	a.mu.Lock()             // b.mu before a.mu, lest two goroutines wait for each other
//	defer a.mu.Unlock()     b.mu.Lock()
//	b.mu.Lock()         →   defer b.mu.Unlock()
//	defer b.mu.Unlock()     a.mu.Lock()
//	...                     defer a.mu.Unlock()
//	                        ...
//
// The inner acquisition moves to before the outer one, with its deferred
// release if that follows at once. Statements between the two then run under
// both locks, so nothing loses its guard. Explicit releases that follow one
// another change places too; others stay, since the order of releasing does
// not matter.
//
// The inner lock may also be taken in functions that the section calls. If the
// program somewhere nests the two locks the other way round, this lock is taken
// before the section, which then calls variants of the functions that expect it
// to be held, as package calllocked makes them:
//
//	t.mu.Lock()                // take t.cache.mu for t.cache.remove before t.mu, ...
//	defer t.mu.Unlock()        t.cache.mu.Lock()
//	t.n--                  →   defer t.cache.mu.Unlock()
//	t.cache.remove(name)       t.mu.Lock()
//	                           defer t.mu.Unlock()
//	                           t.n--
//	                           t.cache.removeLocked(name)
//
// All functions that take the same two locks the wrong way round change together, in one
// composite edit, too: each that is left can still deadlock.
//
// It is the counterpart of CORE's CSO (Kelk 2015), which has no second form.
//
// Refused are acquisitions in different statement lists, the same lock twice,
// callees whose lock the caller cannot name or takes otherwise in the section,
// and acquisitions with something between them that
//   - declares, assigns or compares with nil what the inner lock is reached through,
//   - may take the inner lock itself,
//   - is a defer other than of another unlock, or releases a lock of its own,
//   - leaves the section without releasing the inner lock, where that has no deferred release.
package swaplocks
