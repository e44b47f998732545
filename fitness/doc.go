// Package fitness scores mutants: how well does a changed program pass its
// failing tests?
//
// # Score
//
// A score is a number from 0 to 1000 (Kelk, Automatic Repair of Concurrency
// Bugs, 2015, section 4.2.2 and table 4.11):
//
//	1000 × (1.0 × passes + 0.5 × time-outs) / runs
//
// over 15 noised runs. The text of the thesis counts successful runs alone. Its
// table of parameters gives a time-out half a point, and so does CORE.
//
// An [Evaluator] asks its sources in turn and takes the first answer. Those in
// [Options.Before] come first. Noise comes last and always has an answer, unless
// nothing could be run: that is an error, never a score. A mutant that does not
// compile has a [Result] with Refused set and score 0.
//
// # Slope
//
// A program with several races fails in every run until the last of them is
// mended, and all its mutants score 0. So a failing [Result] has a [Result.Slope]
// too, from 0 to below 1, that tells mutants with equal scores apart: the fewer
// failures its failed runs show, the better, and then the later these come.
// Noised runs go on after a race and show all of them; the checker's executions
// end at the first failure, and those of the whole sample are counted. The slope
// is no part of the score. Whoever compares mutants compares scores first.
//
// # Vetoes
//
// [Options.Veto] keeps mutants from being built and run that can be no fix, such
// as one that deletes what fails. They are refused, with score 0.
//
// # Checker before noise
//
// A [CheckerSource] scores by bounded model checking. It explores the
// counterexamples of a mutant's parents and of the original first, then a random
// sample of schedules, then a bounded search. A mutant that fails gets its score
// at once, one that passes a full score. Noise decides where the checker
//
//   - cannot tell, because there is code that it does not control,
//   - did not see the original fail, so that a pass means nothing,
//   - has passed a mutant that noise then refuted (NoiseRefuted), or
//   - is switched off, after ten time-outs or because it does not work.
//
// Where it did not see the original fail, it is not asked first either: one noised run
// refutes most mutants ([Options.NoiseFirst]), and the checker judges what passes. So it
// is where the original's executions are long ([CheckerSource.Slow]) and nearly all
// noised runs fail ([Certain]). Of long executions fewer are sampled.
//
// If noise never shows the failure (Alone), the checker decides by itself, and
// what it cannot judge is refused. checker.go describes the score.
//
// Where several tests fail in the original, each counts by itself: a mutant that mends
// one of two is half the way. A mutant is tried with these tests first, and with the
// others only if it does better there than the original.
//
// Executions of a mutant are cut off after many times the steps of the
// original's, and count as failed. So a mutant that hangs is scored by how many
// of its executions end well, and no noised run waits for it. One that does end, but
// later, because the original ends early by its failure, gets more steps.
//
// [Evaluator.Prepare] builds many mutants at once, before Evaluate, for the checker and,
// where that does not decide, for noise: at a fraction of the cost of each by itself. It
// changes no result.
//
// # Economy
//
// CORE makes all runs of every mutant. Here a mutant is run no more after
//
//   - five runs of which none passed,
//   - one failed run, where the original fails in nine of ten runs or more, or
//   - three time-outs, each of which costs the whole time limit.
//
// Its score is that of the runs made. A full score rests on all runs, or on six of
// fifteen where the original fails in nine of ten or more.
// noise.go says what that does to scores.
//
// # Repeatability
//
// The seeds of a mutant's runs follow from [Options.Seed] and the hash of its
// source, so neither the order of evaluations nor the number of workers matters. The
// checker samples all mutants with the same seed, so that an execution of one can count
// for another.
// Schedules bound the checker's work; its time limit is only a guard. What
// the sources learn from a mutant counts from the next generation on: whoever
// runs the search calls [Evaluator.EndGeneration]. Results are remembered by
// hash. Two workers that ask for the same mutant at once cause one evaluation.
//
// A [Memory] extends that beyond the process. A recalled evaluation is observed
// and counted like any other, and the sources learn from it what they learnt
// from the real one. So a search whose scores are all recalled is the same search.
//
// # Example
//
//	eval := fitness.NewEvaluator(fitness.Options{
//		Harness: harness,
//		Before:  []fitness.Source{fitness.NewCheckerSource(checking)},
//		Seed:    1,
//	})
//	result, err := eval.Evaluate(ctx, mutant)
package fitness
