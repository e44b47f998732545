// Package sweep asks every operator about large programs and builds mutants of
// what they offer. It looks for what no case was written for: panics, mutants that
// do not type-check, and time that grows faster than the program.
//
// The programs are Mendel itself, packages of the standard library, and modules
// at exact versions, each loaded without the tests of others. All variables and
// functions count as used concurrently, unless Static is set. Of each program's
// edits a sample is built, spread over the operators and chosen by the seed; each
// alone, as a mutant of one edit.
//
//	err := sweep.Run(ctx, sweep.Options{Edits: 500, Seed: 1}, os.Stdout, os.Stderr)
//
// With Digests it prints a digest of each program's edits and of each subject's, by
// which two revisions of Mendel can be told to find the same edits, in the same order:
//
//	mendel-bench sweep --digests --static > after
//
// A mutant that is refused counts with its reason, in which the names are left
// out. One that does not type-check, and a panic, are failures.
package sweep
