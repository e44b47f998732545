// Package sync replaces the standard library's package of that name in a
// program under test. It has the same exported names; what blocks, blocks in
// the scheduler of package sched, which decides who goes on.
//
// # Under control
//
// Each operation announces itself with [sched.Do] and takes effect when it is
// chosen. Blocking is exact: a mutex is given to any of those who wait, a
// writer that has arrived at an [RWMutex] keeps new readers out, a [Cond] wakes
// in the order of arrival and never spuriously, a [WaitGroup] that is used
// again too early panics. TryLock fails only if the lock is held.
//
// Happens-before edges are those of the Go memory model and no more: RUnlock
// happens before a later Lock but not before a later RLock; a Put happens
// before the Get that returns its value; a write to a [Map] happens before the
// reads that observe it. A failing TryLock makes none.
//
// What the real package reports as a fatal error ("sync: unlock of unlocked
// mutex") ends the execution as a failure, which nothing can recover.
//
// [Pool.Get] chooses whether it returns what was put last or nothing that was
// put; the first alternative is the former. [Map.Range] goes in the order in
// which keys were first stored.
//
// # State
//
// The state of a lock lies in the lock, so that assigning the zero value or
// copying has the usual effect, and it is zero when the lock is not in use.
// Everything else (clocks, waiters) lies in a table of the running execution.
// When the next execution begins to use the package, values are set back to
// what they were before the last one met them.
//
// # Outside control
//
// In code that the scheduler does not control (package initialisation,
// TestMain) the operations really block and really exclude each other, under
// one lock for the whole package.
package sync
