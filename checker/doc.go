// Package checker runs the tests of a program under a scheduler of its own,
// many times in one process and each time in another order of steps, and tells
// which orders fail: bounded model checking of real Go code. This package is
// the part outside of the program under test.
//
//	c, err := checker.New(checker.Config{Tool: tool, Program: program})
//	...
//	defer c.Close()
//	b, err := c.Build(ctx, nil) // or a mutant: map[string][]byte{file: source}
//	if cannot := (*checker.InstrumentError)(nil); errors.As(err, &cannot) {
//		// it is a program, but not one that can be checked: fall back to noise
//	}
//	...
//	defer b.Close()
//	r, err := b.Check(ctx, checker.Search{Budget: 10 * time.Second, Explain: true})
//	...
//	fmt.Println(r) // failed: race in schedule 12 of TestTransfer
//	for _, f := range r.Failures {
//		fmt.Println(f.Message) // data race: write in (*Account).Transfer account.go:53, ...
//		again, err := b.Replay(ctx, f.Schedule)
//		...
//	}
//
// A mutant is shown the same schedule with [Binary.GuidedReplay], which does not mind
// that it cannot follow it to the letter.
//
// # Many programs
//
// Building costs more than checking. [Checker.BuildAll] builds many mutants as one
// executable, in which each is a clone of the packages concerned; package
// instrument tells how, and what cannot be cloned. Every check still has
// processes of its own, in which the others are not used, and reports the same:
//
//	all, err := c.BuildAll(ctx, mutants)
//	...
//	for _, one := range all {
//		if one.Err != nil { ... } // as from Build
//		r, err := one.Binary.Check(ctx, search)
//		err = one.Binary.Close() // the last one removes the executable
//	}
//
// A mutant that does not compile is left out of the executable and built alone,
// which gives its error; if the clones cannot be initialised side by side, or
// for any reason there is no such executable, all are built alone. A start
// without a request, seen to do nothing, comes before any use.
//
//   - Package instrument rewrites the source: whatever goroutines can notice of
//     each other becomes a call of the engine. The result is an overlay for the
//     go command; nothing of the user's changes.
//   - Package sched, the engine, lets one goroutine run at a time and asks a
//     strategy, before each operation that others can notice, who goes on. It
//     models blocking, channels and virtual time, and detects races by vector
//     clocks. Packages below shim replace sync, sync/atomic, time, context and
//     math/rand.
//   - Package driver explores the tests inside their binary. Package state
//     re-initialises the package-level variables between executions.
//   - Package wire is what this package and the driver say to each other: a
//     request in a file, answers as lines of another.
//   - This package builds the binary, starts it, bounds it in time, memory,
//     output and number of processes, puts the answers together, and converts
//     failures to those of package evidence.
//
// Packages sched, shim, driver, state and wire are compiled into the program
// under test; [Runtime] has their source.
//
// # Words
//
// An execution is one run of one test from a fresh state; a schedule is the list
// of its choices, which gives the same execution whenever it is followed. A
// switch away from a goroutine that could have gone on is a preemption. The
// strategies are dfs, which explores all schedules with at most so many
// preemptions, and random, pct and pos, which sample them; auto is a little of
// each, and then dfs.
//
// # Verdicts
//
// Of a test, and of all tests together the worst, in this order:
//
//   - failed: a schedule fails. It was replayed before it was reported, and can
//     be kept in a [File] and replayed at any time.
//   - inconclusive: nothing can be said, for the reason that is given. The
//     program does what cannot be followed (it blocks in code that is not under
//     control, it ends the process, its executions differ by more than the
//     schedule), the test does not end, or a goroutine goes on after it without
//     ever waiting (Report.Spun).
//   - passed: none of the schedules that were tried fails; there are more.
//   - exhausted: no schedule within the bound on preemptions fails. With bound
//     -1 that is all of them; with Report.Fair those were left out in which a
//     goroutine that only waits in a loop keeps others from going on.
//
// These are claims about the test with its inputs, not about the program.
//
// Failures are data races, deadlocks, goroutines that are blocked for ever,
// panics, and complaints of the test itself. [Report.Warnings] are locks taken
// in both orders where no schedule was seen to deadlock.
//
// Before a binary's silence counts it must pass a self-check: find a race that
// was planted when it was instrumented, and a deadlock. If it does not,
// everything but failures is inconclusive.
//
// # Deliveries
//
// With Search.Deliver a report has schedules that pass, and what was received
// from channels in each: how many messages of which value from the channels made
// at which place. Given to the search of a mutant as Search.Expect, they tell
// what the mutant delivers when it is guided along the same schedules. Since it
// does not do the same operations, it follows them as a wish (sched.Guided), in
// several ways (wire.Way). What that shows is for the caller to judge.
//
// # State
//
// Executions share a process, so package-level variables are re-initialised
// before each. Where that is impossible, or where executions of one schedule
// differ (a test that keeps files, that asks for the date), each execution
// gets a process of its own, for what is left of the budget: some hundred
// schedules per second instead of tens of thousands. A failure is then replayed
// in another process. Report.PerProcess tells so; such a test is never
// exhausted.
//
// # Limits
//
//   - Packages outside the module, but for those named by Config.Instrument, run
//     as one step. What blocks in them (a network, a file, a lock of theirs)
//     makes the test inconclusive. [Binary.Uncontrolled] lists what in the
//     source itself is not under control.
//   - Races are seen between accesses in rewritten source. Memory is
//     sequentially consistent.
//   - Time is virtual: it passes when nothing else can happen.
//   - A crash of the Go runtime (out of memory, a stack overflow, a panic in a
//     goroutine of another package) ends the process. It makes its test
//     inconclusive and is named in the reason; it is never taken for a failure
//     under a schedule. The other tests go on in another process.
//   - Examples, benchmarks and fuzz tests are not run. Of a -run pattern only
//     what concerns tests is used: subtests are part of their test.
package checker
