// Package variants compares mutants that are built as variants of functions in one
// executable (package mendel/internal/rewrite/schema) with the same mutants built alone: in
// what the checker reports of their schedules, and in how noised runs of them fail.
//
// The programs are the subjects, the kernels of a Go installation, and the golden archives
// of the operators. Archives have no tests: each of their functions is called by two
// goroutines with made-up arguments. The mutants are sets of one to three edits, drawn at
// random over the operators, with everything taken to be used concurrently.
//
// The checker makes some schedules of each mutant, those of one seed, explains and replays
// the failures. The reports must be the same, word for word. Where a build alone does not
// say the same twice, the program itself is not repeatable, and nothing is compared. Noised
// runs are no more repeatable than the machine: a failure differs if it shows one way, and
// not once in many runs the other way.
//
// # Limits
//
// A function with variants is longer than it is alone, so the compiler may not inline it,
// or not what it calls. The names of function literals tell what was inlined where, and the
// race detector places some accesses at the call. With NoInline everything is built without
// inlining, and what differs then has another reason.
//
//	err := variants.Run(ctx, variants.Options{
//		Only: []string{"subjects/account"}, Subjects: "subjects", Operators: "mutate", Mutants: 6, Schedules: 40, Runs: 3, Seed: 1,
//	}, os.Stdout, os.Stderr)
package variants
