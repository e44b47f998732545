// Package shrinkstart lets a critical section begin after its first statements.
//
// It mends deadlocks in which a lock is taken before something else is waited
// for, and shortens what a fix made too long:
//
//	s.mu.Lock()             job := <-s.jobs
//	defer s.mu.Unlock()     // take s.mu only after s.jobs is read
//	job := <-s.jobs       → s.mu.Lock()
//	s.done[job.id] = true   defer s.mu.Unlock()
//	                        s.done[job.id] = true
//
// One edit leaves 1, 2, ... up to sectionedit.MaxMoves statements outside and at
// least one inside. A deferred release that follows its acquisition moves along
// with it; one that comes behind the statements left outside stays. Releases in
// these statements are removed. The edit is flagged mutate.DropsGuard when what
// is left outside uses a variable that the lock guards.
//
// It is the counterpart of CORE's SHSB (Kelk 2015).
//
// Refused are
//   - passing a deferred release in a function literal, or another defer of a section whose release is deferred: the calls would run in another order,
//   - leaving a sync.Cond.Wait outside, which needs its lock,
//   - passing a declaration that hides the variable of the lock, or a label that a goto names,
//   - beginnings inside the section of another lock.
package shrinkstart
