// Package driver explores the tests of an instrumented test binary, from within
// it. It is what the checker talks to: [Main], the body of the test that the
// instrumentation adds, reads a request (package wire), makes thousands of
// executions of each test under package sched, and writes answers.
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
// own. The test function gets a real *testing.T, so that it can be given to code
// that is not under control. A goroutine outside control has package testing
// make it and keeps it alive; it is used for the next execution too, unless its
// memory shows that something was done to it.
//
// What would block, start a goroutine or end one is done by this package under
// control, as package testing does it: subtests, t.Parallel (at top level it
// does nothing, because a test is explored alone), cleanup functions, the
// context. Cleanup functions that uncontrolled code registered with the real T,
// and those of TempDir and Setenv, are taken from it and called in their turn.
// Everything else of a T is the real one's.
//
// A failure that instrumented code reports ends the execution at once. One that
// the real T was told of by other code, an assertion library, ends it when the
// test ends. Deferred calls and cleanup functions run either way.
//
// # What is done with a test
//
// First the plain execution, in which each goroutine goes on as long as it can,
// twice. If they differ then the outcome depends on what is left of earlier
// executions, and the test is answered as stateful: it needs a process for each
// execution. For the same reason it is made again before a failure is reported.
// Then, as far as they are asked for: random executions whose lock orders are
// looked at, the schedules of the request, those of another program along which
// messages are counted, a sample by which to tell how often the test fails, the
// search, and passing executions whose messages are counted. A failure is replayed before it is reported,
// then minimised and traced.
//
// Before any test the driver checks itself: it must find the planted race, which
// was instrumented with the program, and a deadlock of its own.
//
// # Processors
//
// Of the goroutines under control one runs at a time, so the process makes do
// with one processor from its start: that saves waking others up in vain. The
// program is told the number it would have (sched.GOMAXPROCS); only code that
// is not under control sees one.
//
// # Limits
//
//   - t.Deadline tells of none, because time is virtual.
//   - A TestMain that leaves m.Run to code that is not under control cannot be
//     followed, and neither can subtests that such code starts.
//   - The context that uncontrolled code gets from a real T is not cancelled
//     before the execution is over.
//   - os.Exit(0) in TestMain runs the deferred calls of its goroutine.
//   - Two unexported fields of testing.T are used. With a version of Go that has
//     renamed them, messages lack the place and logs are lost, and cleanup
//     functions that uncontrolled code registered are called by package testing,
//     after the execution.
package driver
