// Package evidence reads what went wrong from the text a Go program leaves
// behind: the output of a test run, a file with a race report, a goroutine
// dump fetched from a server.
//
// # What is recognised
//
// [Parse] walks once over the text and takes out
//
//   - reports of the race detector ([Race]);
//   - "all goroutines are asleep", and dumps made because a test or a run
//     timed out in which every goroutine of the program is blocked ([Deadlock]);
//   - dumps in which some goroutine is blocked, goroutine and goroutineleak
//     profiles as text, the complaint of go.uber.org/goleak, and the report of
//     Mendel's noise runtime ([Blocked]);
//   - panics and fatal errors of the runtime with the stack that raised them
//     ([Panic]);
//   - tests that say "--- FAIL", with their last message ([TestFailure]);
//   - what timed out without being blocked ([Timeout]).
//
// Anything else is skipped: log lines between and inside reports, truncated
// reports, carriage returns. The output of go test -json is unpacked first.
// No text makes the parser fail; at worst it finds nothing.
//
// [Read] takes what people keep: it first undoes what containers, build
// services, mails and terminals do to the lines, knows binary profiles, and
// tells the packages of a text apart.
//
// # Sameness
//
// Two failures are the same failure when their signatures are equal. A
// signature is the kind and the sorted, distinct places at which the
// goroutines stood: the innermost function outside the standard library with
// the base name of its file; for races also the line, because one function
// often races with itself at several lines. A time-out is signed by its tests.
// Goroutine numbers, addresses, directions of the accesses, the order of the
// stacks and the number of goroutines at one place do not enter.
//
// # Blocked, and how surely
//
// A dump shows states, not reasons. Goroutines that wait for a mutex, a
// condition, a wait group, or to send are waiting for another goroutine of the
// program; one that receives or selects may be waiting for a timer. So a dump
// in which something still runs, sleeps or waits for the network counts only
// goroutines of the first sort as blocked. Goroutines of the runtime, of
// package testing and of Mendel's own runtime never count.
package evidence
