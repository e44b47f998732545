// Package rand replaces math/rand in a program under test. What its top-level
// functions return is part of the schedule, as in the replacement of
// math/rand/v2, whose documentation says how: small choices are explored
// exhaustively, all others are samples.
//
// After [Seed] the values are those of the real package for that seed, and
// nothing is chosen, until the execution ends.
package rand
