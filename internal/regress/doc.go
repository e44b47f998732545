// Package regress makes a regression test of a failing schedule: a test that go test alone
// runs, red in the program in which the schedule fails, and green once that is mended.
//
// # Means
//
// They are tried in this order. Those that hold goroutines where they are to be come before the one that
// relies on chance:
//
//   - plain: the test that failed fails whatever the schedule. Then it is the regression
//     test, and nothing is written.
//   - bubble: it does so in a bubble of testing/synctest, which ends when goroutines are blocked for ever.
//   - watched: it does so under package order, which tells a deadlock, also of goroutines that wait for
//     locks.
//   - locks: a copy of the test holds a lock of the program until all goroutines that it starts wait for it. A
//     mutex is handed over in turn to goroutines that have waited for a millisecond, so each
//     does one section before one of them begins its second.
//   - order: a copy of the test, with events of package order in the code that the test
//     itself has: its statements, goroutines and callbacks.
//   - repeated: it fails when it is repeated, with eight processors.
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
// of the program or with the same message. Goroutines that are blocked may also show in what a test says when
// it waits no longer. The race detector may see a data race first. A data race is seen with it alone, and the test
// says so. With a patch that mends the failure it must pass as often. What the text of a
// test says is compared without numbers.
//
// # Limits
//
// What no test can hold, and what repeating does not show, is not found: switches within functions of the
// program, unless the goroutine is blocked there or calls something that the test has made. Fakes that test files
// declare are not copied, so their methods hold nobody. Goroutines that are left waiting for a lock are not
// told by a bubble. Tests with parallel subtests are not copied, and those with several bubbles.
package regress
