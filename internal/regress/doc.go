// Package regress makes a regression test of a failing schedule: a test that go test alone
// runs, red in the program in which the schedule fails, and green once that is mended.
//
// # Means
//
// They are tried in this order, the simplest first:
//
//   - plain: the test that failed fails whatever the schedule. Then it is the regression
//     test, and nothing is written.
//   - order: a copy of the test, with events of package order in the code that the test
//     itself has: its statements, goroutines and callbacks.
//
// Each that does not lead to a test says why.
//
// # Orders
//
// The copy gets two events before each of its statements, an arrival and a departure, and is
// explored by the checker until it fails as the schedule does. An arrival belongs to what the
// goroutine did before, a departure to what it does next. So a goroutine that stood somewhere in
// the test while others went on is held there until they have come as far, or are blocked where they
// stand within a call of the program. Where two come to one place, they can also be made to meet
// there. Then the copy is run under the real scheduler, and orderings are dropped one by one
// as long as it fails each time. Events that no ordering needs are left out of the test.
//
// # Acceptance
//
// The test must fail in each of 20 runs with 1, 2 and 8 processors, plainly and with the
// race detector, as the schedule failed: with the same kind of failure, at the same places
// of the program or with the same message. A data race is seen with the race detector alone, and the test
// says so. With a patch that mends the failure it must pass as often. What the text of a
// test says is compared without numbers.
//
// # Limits
//
// What no test can hold is not found: switches within functions of the program, unless the goroutine
// is blocked there or calls something that the test has made. Goroutines that a test leaves blocked are no
// failure of go test, so there is no test for them. Tests with bubbles of testing/synctest
// and with subtests that are parallel are not copied.
package regress
