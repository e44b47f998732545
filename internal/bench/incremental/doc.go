// Package incremental measures what it saves that executions of one mutant count for
// others, and for the mutant itself when they come again (package
// mendel/checker/incremental), and whether scores stay the same.
//
// The mutants of a subject are those with one edit that a search would try first, and then,
// as a second generation, as many with two of these edits, drawn at random. A
// CheckerSource, as a repair has it, scores them in this order, once with an incremental
// checker and once from scratch. Both sources must give each mutant the same score,
// verdict, failures and counterexamples; how many schedules a search makes depends on
// time as well. No noise decides anything, so the figures can be measured again.
//
//	err := incremental.Run(ctx, incremental.Options{Dir: "subjects", Mutants: 40, Seed: 1}, os.Stdout, os.Stderr)
//
// # Limits
//
// The mutants are not those of a search, which goes on with the best. The schedules of the
// original are not counted.
package incremental
