// Package validate turns candidates of the search into fixes.
//
// A candidate is a mutant that passed its scoring runs, some fifteen of them.
// That is thin evidence: a failure seen in one run of ten is missed by fifteen
// runs one time in five. And a candidate is rarely what a colleague would
// commit: it carries neutral edits that the search picked up on its way, and
// critical sections longer than needed. So each candidate goes through
//
//	policy ─► confirm ─► minimise ─► optimise ─► go vet ─► other tests ─► cost
//
// and is a [Fix] at the end, or a [*Rejected] error that says at which stage
// it fell and shows the failing run or schedule.
//
// # Policy
//
// Flags are reasons to prefer other fixes. With Options.NoSerialize, edits that
// serialise a goroutine body are taken out, and a candidate that needs them is
// rejected. An edit that removes a lock ([mutate.DropsGuard]) is tolerated only
// where each access that some lock guarded is still guarded by some lock
// afterwards, as when two sections are merged under a third lock; a fix that
// merely drops a guard is rejected, even when nothing else was found, for it
// trades a failure that is seen for a race that is not seen yet. If each such
// access is under a lock that was not held there before, the guard is replaced
// rather than dropped, and the fix is not flagged; else it is, and ranks behind
// all but the serialising ones.
//
// # Rules
//
// A fix must remove the cause of a failure, not what fails. Each [Rule] names a
// way to hide it: deleted-goroutine, deleted-work, sleep, spin, swallowed-panic
// and dropped-message. A candidate that breaks one is rejected with the rule and
// the place ([Breach]), and a step of reducing is not made; docs/rules.md says
// what each rule forbids, how it is decided and what it does not see.
//
// The first five compare sources (compare.go). What the changed files do is
// counted in the original and in the mutant: what has moved is still there.
// This is approximate on purpose towards refusing less: a call is the same
// whatever its arguments. Spin has a second half and dropped-message its only
// one in the check: the checker reports goroutines that go on for ever without
// waiting, and leads the mutant along schedules that the original passes, to
// compare what is received from channels (messages.go).
//
// # Confirm
//
// CORE multiplies the scoring runs by a safety factor of ten (Kelk 2015,
// section 4.2.6) and stops at the first failure (section 5.3). Seeds are fresh:
// a series of runs is given its seeds from the run's seed, the mutant's hash and
// how often this mutant was confirmed before, and no two series overlap. If the
// failure was rare before, the runs are increased until they would miss it with
// a probability of less than one in a thousand, at most fourfold.
//
// # Check
//
// With Options.Checker a stage of bounded model checking comes before noise:
//
//	policy ─► check ─► minimise, optimise ─► prove ─► other tests ─► cost
//
// A fix must pass the schedules that failed before it and a bounded search,
// which ends with all schedules up to a bound on preemptions covered or with
// the whole budget spent; [Checked] says which. Each step of reducing is the
// checker's first, with a tenth of the budget; where it passes the mutant, 30
// noised runs are enough for the step. What is left is then proved: a full
// series of noised runs, the checker's whole budget, go vet and the tests to be
// repaired, side by side, because noised runs mostly sleep. With Options.AtOnce
// the candidate's own series begins before the steps do: most candidates cannot
// be reduced, and then it counts. If what is left falls in the proof, the
// reduction is done once more with full series. So no fix is returned whose very
// source did not pass both in full. Where the checker cannot tell, noise
// confirms each step in full, as without a checker, unless noise never shows the
// failure (Options.CheckRequired) or is left out (Options.NoNoise): then the
// candidate falls.
//
// # Minimise
//
// [Minimise] reduces any list to a 1-minimal one: taking out any single item is
// refused. The idea is delta debugging (Zeller and Hildebrandt, Simplifying and
// Isolating Failure-Inducing Input, 2002). For edits, a subset is accepted when
// it gives a mutant without new flags which passes a full confirmation, not just
// the scoring runs: whoever asks a noisy judge often enough gets a wrong yes.
//
// # Optimise
//
// CORE's second phase (section 4.2.10) evolves a fix with the operators that
// shrink and remove synchronisation, scored by running time and voluntary
// context switches. Here the same steps, and the replacement of an edit by a
// narrower sibling with the same lock, are tried best first, and each is kept
// only if
//
//   - no flag is new, and of the variables that a failure was about every access
//     that a lock guarded is guarded by it still, so that atomicity is not lost
//     to an interleaving that noise did not produce (where no failure names a
//     variable, as after a deadlock, that holds for all shared variables), and no
//     shared access that the original guards is left without a lock,
//   - it has fewer flags, fewer statements under locks or fewer changed lines,
//     and more of none, or else runs faster by a clear margin,
//   - interleaved runs of both programs do not show it slower, and
//   - it is confirmed in full again.
//
// # Checks
//
// go vet may find nothing in the changed packages that it did not find before,
// and every test of the package that passes on the original passes without
// noise, with and without the race detector. A test that fails with the patch is
// tried on the original again before the patch is blamed.
//
// # Quality
//
// A fix that passes everything can still be a poor one. [Quality] says how long
// the critical sections are that it makes or lengthens, what may block in them
// now (mutate.Blockers), and how much of the program's parallelism it leaves:
// both programs run on one processor and on all, in turns, and [Parallel] has
// the speed-ups. [Rank] puts a fix that clearly loses parallelism behind those
// with the same flags that do not, and of fixes of one size those first in whose
// sections less may block.
//
// # Words
//
// A guarded statement lies between a lock's acquisition and its release. A
// section's cover is its lines, as lines of the original. Both are read from
// the syntax of the printed source, hence approximate: aliases of locks are not
// seen through, and a lock that is released on some paths in inner blocks only
// counts as held to the end of its block.
//
// # Memory
//
// A [Memory] keeps what became of candidates beyond the life of a Validator, and
// with each what it taught: which sources stood, fell, and which seeds are used
// up. A fix that is recalled is the one that was found, to the last figure.
//
// # Example
//
//	v := validate.New(validate.Options{
//		Space: space, Runner: validate.Harness(harness), Tool: tool,
//		Program: program, Narrowing: narrowing, Before: before, Seed: 1,
//	})
//	fix, err := v.Validate(ctx, mutant, result)
//	var rejected *validate.Rejected
//	switch {
//	case errors.As(err, &rejected):
//		log.Print(rejected) // an ordinary outcome: the search goes on
//	case err != nil:
//		return err // the environment, or ctx; fix may still be a confirmed one
//	}
package validate
