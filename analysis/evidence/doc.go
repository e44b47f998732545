// Package evidence reads failures from the text that a Go program leaves behind:
// the output of a test run, a file with a race report, a goroutine dump fetched
// from a server.
//
// # What is recognised
//
// [Parse] goes once through the text and finds
//
//   - reports of the race detector ([Race]);
//   - "all goroutines are asleep", and dumps made because a test or a run
//     timed out in which every goroutine of the program is blocked ([Deadlock]);
//   - dumps in which some goroutine is blocked, goroutine and goroutineleak
//     profiles as text, the report of go.uber.org/goleak, and the report of
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
// [Read] is for files that people keep. It first undoes what containers, build
// services, mails and terminals do to the lines. It also reads binary profiles,
// and separates the packages of a text.
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
// # Certainty of Blocked
//
// A dump shows states, not reasons. A goroutine that waits for a mutex, a
// condition, a wait group, or to send is waiting for another goroutine of the
// program. One that receives or selects may be waiting for a timer. So in a dump
// in which something still runs, sleeps or waits for the network, only goroutines
// of the first sort count as blocked. Goroutines of the system never count: of
// the runtime, of package testing and of Mendel's own runtime.
package evidence
