// Package diagnosis binds faults that were found in a program to the edits that mend them.
//
// A [Finding] is a fault with its places and what it is about: the variable, and the lock
// that guards it. Package localize finds faults by executions; [OfRace] finds those of a
// data race by the source alone, as the model of locks has it:
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
// [Strategies] are the ways to mend a fault, in the order in which a careful maintainer
// would try them, and [Plan] is the order in which a search should try the edits of a
// program for what was found in it. docs/faults.md has the table.
//
//	found := diagnosis.OfRace(space.Locks(), program, failure)
//	turn := diagnosis.Plan(found, space.Edits())
//
// # Limits
//
// A race is known by two places. Where a line has several variables that both lines use,
// the first that changes counts. The places of a use in a test are those of whoever gave
// the test what it uses.
package diagnosis
