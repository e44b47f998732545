// Package rand replaces math/rand/v2 in a program under test: what its
// top-level functions return is part of the schedule.
//
// Under control they draw from one pseudo-random stream, a step each. The
// stream is the same in each execution but for its seed, one of four, chosen at
// the first draw. A whole number below n, where n is at most four, and the order
// of at most four elements, are any of the possible ones: the schedule chooses,
// beginning with what the stream says, so that a loop that waits for a certain
// value ends. So small choices are explored exhaustively and all others are
// samples: a search that covers all schedules covers four streams of large
// numbers, no more.
//
// A [Rand] made by [New] has a source of its own and is the real one, as are
// all types. Outside control the functions are the real ones.
package rand
