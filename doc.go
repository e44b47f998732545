// Package mendel mends concurrency bugs in Go programs by genetic search.
//
// It is the library behind the command of the same name: [Repair] takes a
// package whose tests fail under some interleavings and returns validated
// patches, each with the evidence for it.
//
//	result, err := mendel.Repair(ctx, mendel.Options{
//		Dir:    "internal/cache",
//		Run:    "TestEvict",
//		Budget: time.Hour,
//		Out:    "mendel-out",
//	})
//	if err != nil {
//		return err // does not build, no such test, ...
//	}
//	if result.Status == mendel.Fixed {
//		fmt.Print(result.Fixes[0].Diff)
//	}
//
// A repair goes through these steps; docs/architecture.md tells why.
//
//  1. Load the package and find statically what it uses concurrently
//     (package analysis).
//  2. Reproduce the failure: explore the schedules of the tests (checker) and
//     run them with noise under the race detector (fitness/noise). A failure
//     in which a single goroutine takes part is refused.
//  3. Narrow the program to what static analysis and the failures name, and
//     enumerate the edits of its synchronisation there (mutate).
//  4. Search for a set of edits under which every schedule and run passes
//     (evolve, fitness): the checker scores first, noise where it cannot tell.
//  5. Validate it: check, confirm, minimise, optimise, vet, run the other tests
//     (validate). The first fix that no flag speaks against ends the search.
//
// Without the checker (Options.NoChecker) noise alone does all of that.
//
// This package is a thin face. What it returns is made in these rooms:
//
//	internal/result   what was asked and found, as data and files
//	internal/journal  what a run stores and restores, and its clock
//	internal/check    one package explored or replayed
//	internal/repair   the stages of a repair, a file each
//	internal/batch    several packages, one budget
//	internal/review   reports of what repairs have left
//
// What a repair learns goes into a store in the output directory as it happens.
// With Options.Resume a repair that was stopped, killed, or ended with its budget
// goes on. It is made again from its beginning, with everything that was learnt
// from outside answered by the store: how the original behaves, scores,
// validations. A seed decides the rest, so it arrives where it was and goes on as
// if nothing had happened. Every version of Mendel that knows the stored format
// can do that. [ReadState] reads how far a repair is, from any process.
//
// [Check] looks for failures without repairing them: it runs each test under a
// scheduler of its own and explores its schedules (package checker). What it
// finds is replayed, simplified, and kept in a file that [Replay] follows.
//
//	result, err := mendel.Check(ctx, mendel.CheckOptions{Dir: "internal/cache", Out: "mendel-out"})
//	if err != nil {
//		return err
//	}
//	switch result.Verdict {
//	case mendel.CheckFailed:
//		err = result.Print(os.Stdout, mendel.PrintOptions{}) // the interleaving, as a table
//	case mendel.CheckExhausted: // no schedule with up to result.Bound preemptions fails
//	case mendel.CheckCovered: // every outcome of every schedule was seen (strategy mcm)
//	case mendel.CheckPassed: // none of result.Schedules did
//	case mendel.CheckInconclusive: // nothing can be said: result.Reason
//	}
//
// A repair never changes the source; [Result.Apply] does when asked. Mutants
// are untrusted programs: they run with limits, in process groups of their
// own, and are gone with all their children when Repair returns.
package mendel
