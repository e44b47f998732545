// Package fitness scores mutants: how well does a changed program get through
// its failing tests?
//
// # How
//
// A score is a number from 0 to 1000 (Kelk, Automatic Repair of Concurrency
// Bugs, 2015, section 4.2.2 and table 4.11):
//
//	1000 × (1.0 × passes + 0.5 × time-outs) / runs
//
// over 15 noised runs. The text of the thesis counts successful runs alone;
// its table of parameters gives time-outs half a point, and so does CORE.
//
// An [Evaluator] asks its sources in turn and takes the first answer. Those in
// [Options.Before] come first (a model checker that finds the failure has its
// answer at once); noise comes last and always has one, unless nothing could
// be run: that is an error, never a score. A mutant that does not compile was
// judged, not broken: it is a [Result] with Refused set and score 0.
//
// # Economy
//
// CORE makes all runs of every mutant. Here no further run is made of a mutant that
//
//   - has passed none of its first five runs, or
//   - has timed out three times, each of which costs the whole time limit.
//
// Such a mutant is scored by the runs that were made. A full score always rests
// on all of them. See noise.go for what that does to scores.
//
// # Repeatability
//
// The seeds of a mutant's runs follow from [Options.Seed] and the hash of its
// source, so neither the order of evaluations nor the number of workers
// matters. Results are remembered by hash, and two workers that ask for the
// same mutant at once cause one evaluation.
//
//	eval := fitness.NewEvaluator(fitness.Options{Harness: harness, Seed: 1})
//	r, err := eval.Evaluate(ctx, mutant)
package fitness
