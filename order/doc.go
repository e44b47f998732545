// Package order states in which order the goroutines of a test go on. A test that
// waits with time.Sleep until another goroutine is somewhere says so with it, and is
// neither slow nor flaky:
//
//	func TestTakeWaitsForAdd(t *testing.T) {
//		order.Test(t, "[take] -> add", func(t *testing.T) {
//			q := NewQueue()
//			go func() {
//				order.At("add")
//				q.Add(1)
//			}()
//			order.At("take")
//			if got := q.Take(); got != 1 {
//				t.Errorf("took %d, want 1", got)
//			}
//		})
//	}
//
// A goroutine passes an event where it calls [At]. An order says which events come
// before which. A goroutine that comes to an event too early waits there. The idea is
// IMUnit's (Jagannath et al., "Improved Multithreaded Unit Testing", ESEC/FSE 2011).
//
// # Notation
//
//	a -> b           b comes after a
//	a -> b -> c      and c after b
//	a -> b, c -> d   both of these
//	a && b -> c      c comes after a and after b
//	a || b -> c      c comes after one of them
//	a -> b && c      b and c come after a
//	a#2 -> b         b comes after a was passed twice; a is a#1
//	[a] -> b         b comes while the goroutine that passed a is blocked
//	[a in Pool.Get] -> b   and is blocked in Pool.Get, or in what that calls
//
// Operator && binds stronger than ||, and || stronger than ->. Parentheses group.
// Names have letters, digits, underscores and, between these, dots. [Go] has the events
// start@name and end@name.
//
// Events are counted when they are passed, not when goroutines come there: a#2 is the
// second passing of a. Of goroutines that wait at one event the first goes on first.
//
// Blocked means blocked by the program: at a channel, a select, a lock, a condition
// variable or a wait group. Who waits in At, sleeps, or waits for a file or a network is
// not blocked. A receive from the channel of a timer cannot be told from another one,
// and counts as blocked.
//
// # What happens
//
// [Test] enforces an order, and an event of the order that never came is an error.
// [Try] enforces it as far as it goes: when nothing else can go on, the goroutine that
// waits longest goes on all the same, which is logged. A test that a bug does not come
// back needs that, because a right fix often makes the bad order impossible. [Expect] only
// watches: no goroutine waits, and an event that comes too early is an error.
//
// The function that a test gives runs in a goroutine of its own. Goexit, panics, FailNow and
// SkipNow have the effect there that they have in the test. A notation that cannot be read,
// or an order that goes in a circle, ends the test before the function runs.
//
// An order that cannot be kept is told, with what waits for what, and so is a deadlock
// of the test itself. Then the goroutines that wait in At are let go, and the test
// ends by FailNow as soon as the function has returned, or cannot. Its cleanups run. How long
// that takes depends on what the other goroutines do, as their stacks show it:
//
//	all wait for locks and At            0.1 s
//	some wait at channels or in selects  1 s, as a timer may end that
//	some run, sleep, or wait for I/O     10 s without an event
//
// [Within] sets the last of these; the others are a hundredth and a tenth of it. Try gives
// way ten times sooner, except in the last case. If no goroutine waits in At, the first case takes
// as long as the second, the second as long as the third, and the third is no failure.
//
// There is one order at a time in a process. Another one waits until it has ended. In a
// test that has called t.Parallel, Test is an error, and so is t.Parallel after it.
//
// # The race detector
//
// At makes no happens-before edge between goroutines. So the race detector sees the races
// of a test with an order as it sees them without. Outside an order, At costs a load.
//
// # Bubbles of testing/synctest
//
// Within a bubble, an order is for the goroutines of that bubble. Goroutines are looked at when all
// of them are blocked, so that [a] is exact, also where they wait for a mutex. Durations are
// those of the bubble, and instead of all three a test has an hour (a Try 0.1 s) from when all
// goroutines are durably blocked. The time of the bubble passes meanwhile. To see that goroutines
// are blocked after they slept, it is looked again after a nanosecond, and each time after a tenth more of
// the time that has passed. A goroutine that has slept and then waits for a mutex of one that
// waits in At stops the bubble, and is not seen. Goroutines that are blocked for ever end the
// process, as they do in each bubble.
//
// # Copies
//
// Mendel writes copies of this package into modules that do not require Mendel. So it
// imports the standard library only, and is written in the language of Go 1.17. The directive
// below tells copies from other packages: mendel check replaces them.
//
//mendel:order
package order
