// Package validate turns candidates of the search into fixes.
//
// A candidate is a mutant that passed its scoring runs, fifteen or fewer.
// That is thin evidence: fifteen runs miss a failure that occurs in one run of
// ten one time in five. And a candidate is rarely what a colleague would commit:
// it has neutral edits from the search, and critical sections that are longer
// than needed. So each candidate goes through
//
//	policy ─► complete ─► confirm ─► minimise ─► optimise ─► go vet ─► other tests ─► cost
//
// and ends as a [Fix], or as a [*Rejected] error that names the stage and shows
// the failing run or schedule.
//
// # Policy
//
// Flags are reasons to prefer other fixes; [rules.Flags] is the table. With Options.NoSerialize, edits that
// serialise a goroutine body are taken out, and a candidate that needs them is
// rejected.
//
// An edit may remove a lock ([mutate.DropsGuard]) only if each access that some
// lock guarded is still guarded by some lock, as when two sections are merged
// under a third lock. A fix that merely drops a guard is rejected even if no
// other is found: it trades a failure that is seen for a race that is not seen
// yet. If every such access is under a lock that was not held there before, the
// guard is replaced and the fix is not flagged. Otherwise it is flagged, and
// ranks behind all fixes but the serialising ones.
//
// # Rules
//
// A fix must remove the cause of a failure, not what fails. A candidate that breaks
// one of the rules against hiding it ([rules.Rules]) is rejected with the rule and
// the place ([rules.Breach]); a step of reducing that breaks one is not made. The
// sources are compared as soon as there is a mutant ([Validator.Veto]). The check
// decides dropped-message and a part of spin: the checker reports goroutines that go
// on for ever without waiting, and what is received from channels along schedules
// that the original passes ([rules.Dropped]).
//
// # Complete
//
// A lock guards a variable only if it is held at all uses. The search sees the
// uses that the tests happen to make. So the candidate's locks for variables that
// the evidence names are put around their other uses too
// ([mutate.Space.Complete]), and around variables that are written beside them.
// If the completed candidate is refuted, one without these is tried, and at last
// the candidate as it was found, flagged [mutate.IncompleteGuard]. If another lock
// guards the variable elsewhere it is the wrong one that is held; that is flagged
// and not completed. A step of reducing may not take the lock from such a use.
// [Validator.WithoutCompanions] validates a flagged fix without the variables that are only
// written beside others, to be offered, too.
//
// Sections that a fix has in two parts are found by the model of locks and flagged
// [mutate.SplitSection]. Of a patch that somebody else has made the model finds the rest,
// too: [changes.Find] says what; and what it leaves of a kind that it mends elsewhere is
// flagged [mutate.LeftElsewhere] (package halves). [rules.Object] asks the sources alone about a patch.
//
// # Confirm
//
// A series of noised runs ends with the first failure, which rejects the candidate,
// or when enough have passed. Seeds are fresh: those of a series follow from the
// run's seed, the mutant's hash and the number of series that this mutant has had,
// and no two series overlap.
//
// Enough are k runs with (1-p)^k < 1e-6, where p is the lower bound of the original
// failure's frequency with 95 % confidence (Clopper and Pearson). So it is unlikely
// that a bug is still there which is as frequent as before. [Unseen] is that chance,
// and evidence.chance in result.json. By the runs of the original that failed:
//
//	failed    p       k
//	20 of 20  0.861   8
//	10 of 10  0.741   11
//	10 of 20  0.302   39
//	3 of 15   0.057   237
//	1 of 30   0.0017  8081
//
// The candidate may have another bug, or a part of the old one. So there are never
// fewer runs than a floor: 20 if the checker has passed the mutant or each run of the original
// has failed, three times as many if noise is the only judge otherwise, and half of that where a
// run takes over two seconds. And there are never more than CORE has, its scoring runs times a safety
// factor of ten (Kelk 2015, section 4.2.6). If the failure was rare before it is
// more, at most four times as many, until they miss it with a probability of less
// than one in a thousand. Nor does a series go beyond the floor when its runs have
// taken 30 s, added up (90 s if noise is the only judge). [Options].Runs replaces
// all this by a number.
//
// A run that reaches the time limit may only have been slow, on a machine that is
// busier than it was when the limit was measured. It is made once more, with no other
// of the series beside it and four times the limit, and that run counts. If the
// goroutines' dump shows that none can run any more, or some wait for more than locks
// that others may have, there is no second run.
//
// # Tests that depend on time
//
// A test that sleeps and then asserts what has been done meanwhile fails when noise
// holds a goroutine up for longer than the test allows, with any fix. Where the checker,
// whose time passes only when nothing can run, sees the original fail by something
// else, an assertion of such a test refutes nothing (timed.go): the run counts as
// passed, Confirmation.Delayed counts the test, and the fix says so. At the end the
// test has to pass ten times by itself, without noise and with nothing beside it, unless
// the original fails it so too; and the checker has to have passed the fix.
//
// Where it is known which of the package's tests fail in the original ([Options].Failing), two of three noised
// runs make these alone: what is left of a bug shows in them. The others are made by each third run, and by the
// runs of the package's tests. Confirmation.Alone counts, and reports say so.
//
// # Incomplete
//
// When ctx ends in the middle of a validation, a candidate that has passed ten
// confirming runs or more is a fix all the same, and Fix.Incomplete says what is
// missing. So it does where noise is the only judge, [Options].Runs leaves the number of
// runs to this package, and those that were made would miss a failure as frequent as the
// original's with a probability of more than 5 %. [Rank] puts it behind all others, and it
// is validated again when there is time. Reducing a candidate takes a third of
// the time that is left at most, so that what it leaves can be proved.
//
// # Check
//
// With Options.Checker a stage of bounded model checking comes before noise:
//
//	policy ─► check ─► minimise, optimise ─► prove ─► other tests ─► cost
//
// A fix must pass the schedules that failed before it and a search. That goes on to
// larger bounds on preemptions until all schedules, or all classes of them, are covered or
// the number of schedules is used up. If it has not come to as many preemptions as the
// failure needed, the time that is left goes to all schedules with so many. [Checked]
// says what was reached.
//
// The checker judges each step of reducing first, with a tenth of the schedules and less
// than a third of the time. If
// it passes the mutant, 30 noised runs are enough for the step. What is left at
// the end is proved: by a full series of noised runs, the checker's whole budget,
// go vet and the tests to be repaired. These go on side by side, because noised
// runs mostly sleep. If the proof refutes what is left, the reduction is done
// once more with full series. So every fix has passed both in full, with exactly
// its source. The runs of a step begin beside the checker, too.
//
// Where noise shows the failure in nearly every run, reducing goes the same way
// without the checker: 20 runs for a step, and a full series at the end.
//
// With Options.AtOnce the candidate's own series begins before the steps do, as
// a speculative run: most candidates cannot be reduced, and then it counts. If it
// fails in the way of the original, no further step is tried.
//
// Where the checker cannot tell, noise confirms each step in full, as without a
// checker. But if noise never shows the failure (Options.CheckRequired) or is
// left out (Options.NoNoise), the candidate is rejected.
//
// # Minimise
//
// [Minimise] reduces any list to a 1-minimal one: no single item can be taken
// out. The idea is delta debugging (Zeller and Hildebrandt, Simplifying and
// Isolating Failure-Inducing Input, 2002). A subset of edits is accepted if it
// gives a mutant without new flags that passes a full confirmation. The scoring
// runs are not enough: a noisy judge that is asked often gives a wrong yes.
//
// # Optimise
//
// CORE's second phase (section 4.2.10) evolves a fix with the operators that
// shrink and remove synchronisation, scored by running time and voluntary
// context switches. Here the same steps are tried best first, and so is the
// replacement of an edit by a narrower sibling with the same lock. A step is kept
// only if
//
//   - no flag is new,
//   - of the variables that a failure was about, every access that a lock guarded
//     is still guarded by it, so that no interleaving that noise did not produce
//     can break atomicity. Where no failure names a variable, as after a
//     deadlock, that holds for all shared variables,
//   - no shared access that the original guards is left without a lock,
//   - no statement that changes memory which others can reach leaves a section,
//   - it has fewer flags, fewer statements under locks or fewer changed lines,
//     and more of none; or one section where two adjoin; or else it runs faster by a
//     clear margin,
//   - interleaved runs of both programs do not show it slower, unless it only joins
//     sections, and
//   - it is confirmed in full again.
//
// # Checks
//
// go vet may find nothing in the changed packages that it did not find before.
// Every test of the package that passes on the original must pass without noise,
// with and without the race detector. As long as all pass with the patch, the
// original is not run for that. A test that fails with the patch is tried on the
// original before the patch is blamed.
//
// [Validator.Rehearse] builds the original's test binaries and runs its other tests, with and without
// the race detector, while candidates are still looked for. The patched program's are run from the
// beginning of the proof. A pass counts, whatever goes on beside it. A failure may
// only have been disturbed: it counts when it is seen again with nothing beside it,
// and a test of the original that failed is ignored only if it fails by itself too.
//
// Each test has a deadline: ten times what it took in the original, and two seconds at least
// (deadline.go). It hangs if the goroutines' dump shows then that none can go on, or if it does
// not end by itself either, in forty times what the original takes at that time.
//
// Slow tests are run less often: three times, unless that takes more than three
// seconds. Those that take longer are shared among processes. Under the race detector they have 40
// seconds, or half of the time that is left: what has not ended by then is left out, and the
// fix says so. Programs of which a run takes over a second are not compared by cost.
//
// # Stopped
//
// What a validation that is stopped has found out is kept ([Record]): runs that confirm, schedules, and
// tests that have passed. When it is taken up again it goes on with the rest.
//
// # Scenarios
//
// The package's tests make few calls side by side. With Options.Scenarios others are made of
// them (package scenario) for what the patch touches, and explored beside the proof. What fails
// flags the fix [mutate.ScenarioFails], which makes it a workaround: a race that it leaves at
// another use, a deadlock where a callback uses the value, calls that no longer do what the
// original's do one after the other. [Validator.Whole] validates a fix that has been extended
// to such places; nothing is taken out of it. Making and exploring them takes half of the time that
// is left at most.
//
// # Quality
//
// A fix that passes everything can still be a poor one. [Quality] says how long
// the critical sections are that it makes or lengthens, what may block in them
// now (mutate.Blockers), and how much of the program's parallelism it leaves. For
// that both programs run in turns on one processor and on all; [Parallel] has the
// speed-ups. [Rank] puts a fix that clearly loses parallelism behind those with
// the same flags that do not. Of fixes of one size it prefers those in whose
// sections less may block.
//
// # Given patches
//
// [Validator.Verify] validates a patch that somebody else has made ([mutate.Given]), as it
// stands: it is neither completed nor reduced, and policy does not take edits out. What
// is a gap of a candidate is a reason to refuse it.
//
// # Words
//
// A guarded statement lies between a lock's acquisition and its release. Package
// sections knows which are, in the original and in each mutant.
//
// # Memory
//
// A [Memory] keeps the results of candidates beyond the life of a Validator, with
// an [Observation] of each source: whether it was confirmed or refuted, and which
// seeds are used up. A recalled fix is the one that was found, to the last figure.
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
//		return nil, err // the environment, or ctx; fix may still be a confirmed one
//	}
//	return fix, nil
package validate
