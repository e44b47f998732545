// Package localize ranks the places in the source that make the tests of a package
// fail, and names the fault.
//
//	r, err := localize.Run(ctx, localize.Options{Dir: dir, Package: "./bank"})
//	...
//	for _, p := range r.Places {
//		fmt.Println(p.Rank, p.File, p.Line, p.Says)
//	}
//
// # From schedules
//
// The checker explores the schedules of the tests, and minimises those that fail.
// Then it makes some hundred executions of each failing test once more and tells
// them in full: each operation and each access to memory that was made while other
// goroutines were there, behind the data races that were found. Failures are
// explained by diagnoses, each by what it is ([Diagnoses] has them in a table, with the
// faults that each can name; docs/faults.md shows it):
//
//   - A race by the locks of all places that access the variable. The lock that is
//     held at most of them is taken for its guard, per object; a place that does not
//     hold it is suspicious, and so is the acquisition of a lock that guards nothing
//     else.
//   - Goroutines blocked at locks by who holds what (lock-order inversion,
//     self-deadlock, a lock that is never released, a wait while holding a lock);
//     other blocked goroutines by the operations that end the same wait in other
//     executions.
//     A wait to give back a slot of a semaphore is explained by who has taken one, if more
//     are given back than were taken (double release).
//     A lock whose owner has left the function that took it is explained by the exit.
//   - A test that fails when a time of its own is over by what goroutines wait for then,
//     and any failing test by a lock that nobody is going to release.
//   - A select with a default by the room of the channel that it sends to: without any, a
//     signal is lost whenever nobody receives at that moment.
//   - Panics of operations that synchronise by the earlier operation on the same
//     object (double close, close during send).
//   - These and failing tests by patterns of accesses that occur in failing
//     executions rather than in passing ones, as in Falcon (Park, Vuduc and Harrold,
//     ICSE 2010); see pattern.go.
//
// Failures that share one of their first places are one fault. A place that several
// failures of a fault point to is more suspicious than each of them says.
//
// A place in a helper of another package is less suspicious than the one in the
// package that was asked about which leads there.
//
// # By noise
//
// Where the checker cannot follow a program, or if that is wanted, the program is
// paused at numbered places, in halves of them by turns; see halving.go. The checker
// is asked where that tells no place from another: when every run fails, or none does.
//
// # Limits
//
//   - A variable is known by its address: two fields of a struct that is copied as a
//     whole are one.
//   - Places are lines. What a fault leaves out (a Done, a signal) has no line of its
//     own; the place of the wait, and those that end it in other executions, stand
//     for it. Of a wait group, where a goroutine that was counted ended, and the
//     methods that could wait and do not, stand for it as well.
//   - A failure that is no race and blocks nobody, and in which no order of accesses
//     differs from passing executions, has no places, unless a channel is full or not.
//   - Weights of patterns and kinds are guessed.
package localize
