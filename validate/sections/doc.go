// Package sections says what the critical sections of a program hold, and those of its mutants, by the
// lines of the program as it was.
//
//	covers := sections.New(program, narrowing, model)
//	kept, err := covers.KeepsGuards(mutant)
//
// A guarded statement lies between a lock's acquisition and its release. A section's cover is its
// lines. Locks, and where they are held, are those of the model (analysis/locks), of the original and of
// each mutant's source.
//
// [Covers.KeepsGuards], [Covers.KeepsFix], [Covers.KeepsChanges] and [Covers.ReplacesGuards] say whether
// what is shared is guarded still, [Covers.Growth] what a mutant makes longer and what may block there, and
// [Covers.Parts] what it splits or joins.
package sections
