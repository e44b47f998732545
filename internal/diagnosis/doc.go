// Package diagnosis binds faults that were found in a program to the edits that mend them.
//
// A [Finding] is a fault with its places and what it is about: the variable, and the lock
// that guards it; with a sentence, and how certain it is. [Of] finds what is wrong where a
// program fails: for mendel localize and mendel check, for the search of a repair and for its
// reports. What executions show of a failure comes from package localize, as suspects. The
// source adds what it says of the stacks of a failure, by the model of locks; that is all
// there is where no execution is known, but a dump of goroutines or a panic. [Diagnoses] are
// the ways to find that. Of a data race it is:
//
//   - the lock that is held at most uses of the variable is its guard, and the use without
//     it is at fault (missing lock, wrong lock, write under a read lock);
//   - a goroutine that uses it and the function that starts it come in the wrong order
//     (order violation, or a wait that does not wait for all);
//   - a local variable is shared with a goroutine (captured variable), a pointer is
//     initialised where several may find it empty (unprotected publication);
//   - one closes the channel to which the other one sends (close during send);
//   - one of the two has it from somebody who gave it away, with what it holds (guarded
//     memory handed out, memory used again after it was handed over).
//
// Of blocked goroutines it is what their stacks say: who of them may hold the lock that another
// one waits for (self-deadlock, lock-order inversion, blocked while holding a lock), where a
// function leaves with a lock that none of them holds, and where the operations are that would
// end a wait. Of these, and of a failed test, it is also what a function takes and does not give back: on a way
// out that fails, or behind code of the test's that panics. Of a panic it is what closes the channel, or sets, in a goroutine, what is nil.
//
// [Strategies] are the ways to mend a fault, in the order in which a careful maintainer
// would try them, and [Plan] is the order in which a search should try the edits of a
// program for what was found in it. docs/faults.md has the table.
//
//	found := diagnosis.Of(space.Locks, program, diagnosis.Seen{Kind: failure.Kind, Failures: failures, Suspects: suspects})
//	turn := diagnosis.Plan(found, space.Edits())
//
// # Limits
//
// A race is known by two places. Where a line has several variables that both lines use,
// the first that changes counts. The places of a use in a test are those of whoever gave
// the test what it uses.
//
// In a dump a lock is known by its key, the field that it is: two goroutines that wait for
// locks of two values may be told to wait for each other. A channel is known by the variable
// or field that has it; where it goes as an argument its other end is not found.
package diagnosis
