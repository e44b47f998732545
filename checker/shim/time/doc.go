// Package time replaces the standard library's package of that name in a
// program under test: its clock is virtual.
//
// An execution starts at midnight UTC of 1 January 2000, as in
// testing/synctest, or at the real time if the program makes calls that are not
// under control (sched.Start): deadlines of connections are real. Time jumps to
// the next sleep or timer when no goroutine can go on, or before: that is a
// choice of the schedule. [Now], [Since], [Until], [Sleep], [After],
// [AfterFunc], [Tick], [Timer] and [Ticker] follow it.
// Everything else is the real package's: types are aliases, so that a [Time]
// or a [Duration] can be passed to any other package.
//
// The channel of a timer behaves as since Go 1.23: after Stop and Reset no
// value of an earlier setting is received. Its cap is 1, however, not 0.
//
// What precedes the setting of a timer happens before what its firing causes.
//
// A ticker whose last tick has not been received ticks next after 2, 4, 8, ...
// times its interval, so that a ticker that nobody listens to does not keep
// the clock busy; the documentation of [Ticker] allows it. In a bubble of synctest,
// which has a clock of its own, all ticks have their times.
//
// [Local] and [UTC] are copies of the real variables: an assignment to Local
// does not reach the real package.
//
// Outside control everything is real.
package time
