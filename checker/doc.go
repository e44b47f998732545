// Package checker is a bounded model checker for real Go code. It runs the tests
// of a program many times in one process, under a scheduler of its own, each
// time in another order of steps, and reports which orders fail. This package is
// the part outside the program under test.
//
//	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: program})
//	...
//	defer c.Close()
//	b, err := c.Build(ctx, nil) // or a mutant: map[string][]byte{file: source}
//	if cannot := (*checker.InstrumentError)(nil); errors.As(err, &cannot) {
//		// the program builds, but cannot be checked: fall back to noise
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
// [Binary.GuidedReplay] runs a mutant along the same schedule. It passes over the
// choices that the mutant does not have.
//
// # Many programs
//
// Building costs more than checking. [Checker.BuildAll] builds many mutants as
// one executable, in which each is variants of functions or, where it changes more
// than that, a clone of the packages concerned. Package
// instrument says how (Schema, Batch), and what cannot be cloned. Every check has processes of
// its own, which use the functions of one mutant only. Its report is the same as that of a program
// built alone:
//
//	all, err := c.BuildAll(ctx, mutants)
//	...
//	for _, one := range all {
//		if one.Err != nil { ... } // as from Build
//		r, err := one.Binary.Check(ctx, search)
//		err = one.Binary.Close()
//	}
//
// The latest executables are kept, and the original's: [Checker.Obtain] builds what is in none
// of them.
//
// A mutant that does not compile is left out of the executable and built alone,
// which gives its error. Before the executable is used, it is started once
// without a request, and must print nothing. If it prints something, or if it
// cannot be built, all mutants are built alone.
//
// # Many mutants
//
// With Config.Incremental, what executions of one program came to counts for others that do
// not differ where these executions came, and no execution of a program is made twice.
// Reports are the same, but for Report.Carried and Report.Repeated, which count the
// schedules that were not made. Package incremental says why.
//
// # Packages
//
//   - Package instrument rewrites the source: whatever goroutines can notice of
//     each other becomes a call of the engine. The result is an overlay for the
//     go command. The user's files do not change.
//   - Package sched, the engine, lets one goroutine run at a time. Before each
//     operation that others can notice, it asks a strategy who goes on. It
//     models blocking, channels, virtual time and the bubbles of testing/synctest,
//     and detects races by vector clocks. Packages below shim replace sync,
//     sync/atomic, time, context, math/rand, testing/synctest, pipes, signals, and
//     of net/http handlers, clients and test servers that need no network.
//   - Package driver explores the tests inside their binary. Package state
//     re-initialises the package-level variables between executions.
//   - Package incremental marks where executions come, and remembers what they came to.
//   - Package wire is the protocol between this package and the driver: a
//     request in a file, answers as lines of another.
//   - This package builds the binary and starts it. It bounds the process in
//     time, memory, output and number of processes, puts the answers together,
//     and converts failures to those of package evidence.
//
// Packages sched, shim, driver, state and wire are compiled into the program
// under test; [Runtime] has their source.
//
// # Words
//
// An execution is one run of one test from a fresh state. A schedule is the list
// of its choices; following it gives the same execution again. A switch away
// from a goroutine that could have gone on is a preemption. Strategy dfs
// explores all schedules with at most so many preemptions. Strategies random,
// pct and pos sample schedules. Strategy mcm explores one execution of each class of those
// in which all goroutines see the same (package sched/causal). Strategy states makes each
// step once in each state that can be reached; goroutines forget in it what a statement read
// that leaves no trace in their own variables. Strategy auto is a little of each of these,
// mcm only where executions are short, states only where many of them come to known states,
// and then dfs. Strategy predict makes
// one execution, asks its model what other orders of its steps would show, and makes only
// executions of those that may fail (explore.Predicted).
//
// # Verdicts
//
// A test has a verdict. Of all tests together it is the worst, in this order:
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
//     -1 that is all of them. With Report.Fair, schedules were left out in which
//     a goroutine that only waits in a loop keeps others from going on.
//   - covered: every outcome of every schedule was seen, and none fails. An outcome is what
//     goroutines can see: values that nobody reads are none. Only strategies mcm and auto say so.
//
// These are claims about the test with its inputs, not about the program.
//
// Failures are data races, deadlocks, goroutines that are blocked for ever,
// panics, and failures that the test itself reports. A goroutine that the
// initialisation of packages or TestMain started, or that comes from such a one,
// may wait for ever where it waits without any test: a worker of a pool waits for
// work. Blocked elsewhere, it counts. [Report.Warnings] are locks
// taken in both orders where no schedule was seen to deadlock.
//
// With Search.Suite the verdict of all tests is inconclusive only if no test has another one:
// whoever judges a mutant wants all of its tests to pass, and who has a suite checked wants to
// know what is wrong with each.
//
// With Search.Flaky and Search.Left a test may also be flaky, or left: it has no failures but
// those that need a time-out of its own to expire early, or goroutines that it leaves, which
// something it does not call would end.
//
// A binary must pass a self-check: it must find a race that was planted when it
// was instrumented, and a deadlock. If it does not, only its failures count, and
// everything else is inconclusive.
//
// # Deliveries
//
// With Search.Deliver a report has schedules that pass, and the messages that
// were received in each: how many of which value, from the channels made at
// which place. The search of a mutant takes them as Search.Expect and reports
// what the mutant delivers when it is guided along the same schedules. The
// mutant does not have the same operations, so it follows each schedule as far
// as it can (explore.Guided), in several ways (wire.Way). The caller judges the
// result.
//
// # State
//
// Executions share a process, so package-level variables are re-initialised
// before each. Sometimes that is impossible, or executions of one schedule differ
// (a test that keeps files, or asks for the date), or the program ends itself in a later
// one (a suite that may run once in a process). Then each execution gets a
// process of its own for the rest of the budget: some hundred schedules per
// second instead of tens of thousands. A failure is then replayed in another
// process. Report.PerProcess reports this; such a test is never exhausted.
//
// A test whose plain execution fails by itself, but not after the tests before it,
// is explored after them: in each execution they are run first, without exploring
// their schedules, and the reason says so. Where that needs a process for each
// execution, too, it is not done. A test that fails at once in a process in which
// others were explored gets another process, before the failure is believed.
//
// # The network
//
// With the pattern [analysis.Network] among those of Config.Instrument, and of the target's,
// TCP and UDP on the loopback addresses and Unix stream sockets are in memory (package
// shim/socket), and net/http, net/http/httptest, net/http/httputil and crypto/tls are
// controlled like dependencies. Their own time-outs of fixed lengths are believed
// (Search.Guards); those that a program sets are not. Where a socket is one of the
// operating system all the same, the verdict says so, with the place: another address, a
// port on which the test has not listened, a Control function, multicast, unixgram. SyscallConn and File of
// a socket in memory give the execution up.
//
// # Limits
//
//   - Packages of the standard library (but database/sql and net/rpc), and others that
//     are not plain Go, run as one step. What blocks in them (a network, a file, a lock of theirs), or calls
//     the program from goroutines of theirs, is waited for. Failures of such a test
//     count if they replay; without one it is inconclusive, and the reason names
//     the packages. [Binary.Uncontrolled] lists what in the source itself is not
//     under control. A dependency with which the rewritten program does not build
//     is left as it is, and is listed there.
//   - Races are seen between accesses in the module's source, in that of other modules
//     of its workspace and of the dependencies that Config.Instrument names, and what
//     functions of the standard library do to what they are given. A test whose
//     goroutines share an object of another package without an order is passed, not
//     exhausted. Memory is sequentially consistent.
//   - Time is virtual. It passes when nothing else can happen, or before, because any
//     goroutine may be slow: a time-out that expires so counts as a preemption, and
//     [Failure].TimeOuts names it. Search.Patience and Search.Guards say which are believed
//     not to.
//   - Virtual time begins when the Checker was made, by the real clock; schedules keep
//     that, so that their replay begins at the same moment. Deadlines of connections
//     and times of files are converted, other moments that go to code outside control,
//     or come from it, are not.
//   - In a bubble of testing/synctest no goroutine that is outside control is durably
//     blocked, though it would be in the real program if it waits for another one of
//     the bubble in a package that is not rewritten. A test that waits for such a
//     goroutine is inconclusive.
//   - testing.AllocsPerRun is 0, and the engine allocates between two calls of
//     runtime.ReadMemStats; a test that fails after these is inconclusive.
//   - A crash of the Go runtime (out of memory, a stack overflow, a panic in a
//     goroutine of another package) ends the process. It makes its test
//     inconclusive and is named in the reason. It never counts as a failure
//     under a schedule. The other tests go on in another process.
//   - Benchmarks are not run, nor are examples that do not say what they print. Of fuzz
//     tests the seeds are run. Of a -run pattern only
//     the part for tests is used: subtests are part of their test.
package checker
