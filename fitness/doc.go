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
// [Options.Before] come first; noise comes last and always has one, unless
// nothing could be run: that is an error, never a score. A mutant that does not
// compile was judged, not broken: it is a [Result] with Refused set and score 0.
//
// # Checker before noise
//
// A [CheckerSource] explores a mutant by bounded model checking: the schedules
// that failed its parents and the original first, then a random sample, then a
// bounded search. A failure gives the score at once, passing a full one. Noise
// decides where the checker
//
//   - cannot tell (code that it does not control),
//   - did not see the original fail, so that passing it says nothing,
//   - passed a mutant that noise refuted since (NoiseRefuted), or
//   - was switched off, after ten time-outs or because it is broken.
//
// Where noise never shows the failure (Alone) the checker decides by itself,
// and what it cannot judge is refused. See checker.go for the score.
//
// Executions of a mutant are cut off after many times the steps of the
// original's. These count as failed: a mutant that hangs is scored by how many
// of its executions end well, and no noised run waits for it.
//
// [Evaluator.Prepare] builds mutants for the checker ahead of Evaluate, many at
// once, at a fraction of the cost of each by itself. It changes no result.
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
// matters. The checker's work is bounded by schedules, by time only as a guard,
// and what one mutant's failure teaches counts from the next generation on.
// Results are remembered by hash, and two workers that ask for the same mutant
// at once cause one evaluation.
//
// A [Memory] extends that beyond the process. An evaluation that it recalls is
// told and counts like any other, and teaches the checker's source what the real
// one taught it; so a search that is made again with all scores recalled is the
// same search.
//
//	eval := fitness.NewEvaluator(fitness.Options{Harness: harness, Seed: 1})
//	r, err := eval.Evaluate(ctx, mutant)
package fitness
