// Package driver explores the tests of an instrumented test binary from within
// it. The instrumentation adds a test whose body is [Main]. Main reads a request
// of the checker (package wire), makes thousands of executions of each test
// under package sched, and writes answers.
//
// The instrumentation adds to the test package
//
//	func init() {
//		zzdriver.Register(zzdriver.Package{
//			Clone:   zzclone, // "", unless several programs share the binary
//			Tests:   []zzdriver.Test{{Name: "TestTransfer", Func: TestTransfer}},
//			Main:    zzTestMain, // the user's TestMain, renamed
//			Planted: zzPlanted,
//		})
//	}
//
//	func TestZzMendel(t *zztesting.T) { zzdriver.Main(t) }
//
// and replaces t.Run by driver.Of(t).Run, tb.Fatal by driver.OfTB(tb).Fatal, m.Run
// by driver.OfM(m).Run and os.Exit by driver.Exit. Outside an execution all of
// these are the real ones.
//
// # An execution
//
// Goroutine 0 re-initialises the program (package state) and calls the test
// function, or else TestMain, in whose m.Run the test runs in a goroutine of its
// own. The test function gets a real *testing.T, which it can give to code that
// is not under control. An uncontrolled goroutine has package testing make this
// T and keeps it alive. The T is used for the next execution too, unless its
// memory shows that something was done to it.
//
// This package does under control, as package testing does it, whatever would
// block, start a goroutine or end one: subtests, t.Parallel (at top level it does
// nothing, because a test is explored alone), cleanup functions, the context.
// Cleanup functions that uncontrolled code registered with the real T, and those
// of TempDir and Setenv, are taken from it and called in their turn. Everything
// else of a T is the real one's.
//
// synctest.Test runs its function with a T of the same name that stands below the
// test's own.
//
// An example is a test that fails if it prints something else than its comment says: what it
// prints goes to a file in the place of os.Stdout. A fuzz test is a test whose seeds are
// subtests. Code outside control gets a *testing.F that shares with the test's T what package
// testing keeps of both.
//
// A failure that instrumented code reports ends the execution at once. One that
// other code, such as an assertion library, reports to the real T ends it when
// the test ends. Deferred calls and cleanup functions run either way.
//
// # The stages of a test
//
// First comes the plain execution, in which each goroutine goes on as long as it
// can. It is made twice. If the two differ, the outcome depends on what earlier
// executions left behind, and the test is answered as stateful: it needs a
// process for each execution. For the same reason the plain execution is made
// again before a failure is reported.
//
// Then follow, as far as the request wants them:
//
//   - random executions whose lock orders are recorded;
//   - the schedules of the request;
//   - those of another program, along which messages are counted;
//   - a sample that measures how often the test fails;
//   - the search;
//   - passing executions whose messages are counted.
//
// A failure is replayed before it is reported, then minimised and traced. Executions in which the
// order that the test states cannot be kept are neither passed nor failed. If all are such, the
// answer has one of them as an example (wire.Test.Disorder).
//
// Before any test the driver checks itself: it must find the planted race, which
// was instrumented with the program, and a deadlock of its own.
//
// # Processors
//
// One goroutine under control runs at a time. So the process uses one processor
// from its start, which saves useless wake-ups. The program is told the number
// it would have (sched.GOMAXPROCS); only code that is not under control sees one.
//
// # Limits
//
//   - A test that depends on goroutines outside control (see package sched) is
//     inconclusive without a failure. Its failures count if they replay. They are
//     not minimised, and executions may differ.
//   - t.Deadline reports none, because time is virtual.
//   - A TestMain that leaves m.Run to code that is not under control cannot be
//     followed, and neither can subtests that such code starts.
//   - The context that uncontrolled code gets from a real T is not cancelled
//     before the execution is over.
//   - os.Exit(0) in TestMain runs the deferred calls of its goroutine.
//   - Two unexported fields of testing.T are used. With a version of Go that has
//     renamed them, messages lack the place and logs are lost. Package testing
//     then calls the cleanup functions of uncontrolled code, after the execution.
package driver
