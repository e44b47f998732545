// Package order replaces package order of Mendel, and copies of it, in a program under
// test.
//
// # Under control
//
// To pass an event that the order names is a step of the schedule, which is enabled when
// its turn has come. So all schedules within the order are explored, and no others.
// A schedule in which the order cannot be kept ends there and counts neither as passed
// nor as failed: another one may keep it. A test all of whose schedules end so fails.
//
//   - Test and Each: an event that never comes fails the test, in the schedules in which
//     that is so.
//   - Try gives way when nothing else can go on: when all goroutines are blocked, and
//     no timer is due soon, by virtual time. What soon means is the same as in the
//     package that is replaced. Any of the goroutines that wait goes on then, since any may
//     have come first.
//   - Expect: events are steps that are always enabled.
//   - [a] is asked of the engine, and exact: a goroutine is blocked when its next operation
//     is one that waits, and cannot be done.
//
// Of goroutines that wait for one event any goes on first, since any may have come
// first. The function of the test runs in the goroutine that called Test.
//
// File parse.go is the one of package order; a test says when it is not any more.
//
// # Outside control
//
// Orders are ignored: the function runs, and events pass.
package order
