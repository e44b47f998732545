// Package sched is the engine of the checker. It runs a Go program under a
// scheduler of its own and lets a strategy decide, step by step, which goroutine
// goes on. It models blocking, channels, virtual time and the happens-before
// order, and reports when an execution fails. It knows no strategy: what one may
// decide, and be told, are the interfaces of strategy.go. The strategies that explore
// the schedules of a program are in package explore.
//
// The package imports the standard library only, because it is compiled into
// the program under test.
//
// # Words
//
// An execution is one run of a body, a function such as one test, under Run. A
// goroutine is under control when it runs the body, or when one under control
// started it with Go, or when it was adopted. All others are uncontrolled.
// Goroutines have IDs in the order of creation; 0 runs the body. An operation is something others can
// notice: it has a Kind and mostly an Object. A goroutine announces its next
// operation with Do and waits. The strategy sees all announced operations that
// are enabled and chooses one. From there to its next announcement the goroutine
// makes one step, while all others stand still. A schedule is the list of
// choices; the same schedule gives the same execution.
//
// # How it works
//
// There is no scheduler goroutine. The running goroutine itself asks the
// strategy, in Do. If the strategy chooses another goroutine, the running one
// wakes it and parks: one hand-off for a switch, none when it may go on. Nothing
// under control ever blocks for real. What would block is an operation whose
// Enabled function returns false.
//
//	func (m *Mutex) Lock() {
//		if !sched.Active() {
//			m.real.Lock()
//			return
//		}
//		m.refresh() // zero if m.object.Fresh(); makes the closure m.free once
//		sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &m.object, Enabled: m.free, What: "mu.Lock"})
//		m.locked = true
//		sched.Acquire(&m.object)
//	}
//
// Channels stay real channels of their own type; their contents are kept by
// the engine (MakeChan, Send or To, Recv, Recv2, Range, Close, Len, Cap, Select,
// SelectDefault). Timers and Sleep use virtual time (Now).
//
// # Bubbles
//
// RunBubble makes a bubble of testing/synctest, with a clock of its own. What
// waits for the bubble to be durably blocked is an operation (KindIdle): WaitBubble,
// and one of the goroutine that called RunBubble, which lets the bubble's time pass.
// Both are enabled when every other goroutine of the bubble is in an operation that
// is not enabled and that only the bubble can enable: on its channels, a sleep, or
// one that says so (Op.Durable). Sleepers wake all at once. Other timers that are
// due at the same moment fire in steps of goroutines of their own (KindFire).
//
// # End of an execution
//
// When the body returns, the other goroutines run on. When nothing is enabled
// and no timer is set, the goroutines that remain are blocked for ever: Deadlock
// if the test is among them, Blocked otherwise. What was started before the test
// may wait where Options.Idle says (Residents), and workers at channels that outlive
// it (Options.Roots). An execution ends at once at a
// race, a panic that is not recovered, Fail, too many steps, and at what cannot
// be controlled. See the constants beside Failure.
//
// A test may state an order of events (TakeTurn). An execution in which it cannot be kept
// ends as Unordered, which is no failure, and counts as redundant.
//
// Then the goroutines that remain are torn down, the youngest first: each leaves
// where it stands by runtime.Goexit and runs its deferred calls. An operation in
// them that is enabled is done, without a choice. One that is not enabled ends
// the deferred call by another runtime.Goexit. Panics are ignored, goroutines
// are not started, memory is not watched.
//
// # What is exact
//
//   - Blocking of everything built on Do. Only operations are scheduling points.
//     That is complete: between two of them others can notice a goroutine only
//     through plain memory. That is a race, and races are failures (or, with
//     Options.Races, their accesses become operations of KindAccess).
//   - Channels, with both edges of the memory model, capacity included: the k-th
//     receive happens before the completion of send k+C. An unbuffered send and
//     receive are one step; any waiting partner may be chosen. Every behaviour
//     explored is one of the real program and conversely. So a select with
//     default may miss a partner that has announced its operation: in the real
//     program the partner may not have begun to wait.
//   - Time-outs: any goroutine may be slow, so a timer may expire although goroutines
//     could go on, which counts as a preemption (expire.go). Timers expire in the
//     order of their moments. Those that are due at one moment do so in any order,
//     but for those that were set one after the other in every schedule.
//   - Races: the first race of an execution is found, byte for byte. Nothing is
//     reported that is not a race by the edges of the memory model. Atomic
//     operations and those of locks are accesses to their own variables, which
//     race with plain ones: who overwrites or copies a lock that others use.
//   - Repetition: the same choices give the same execution, IDs and all, unless
//     the body itself depends on something else (the real clock, addresses).
//
// # What is not
//
//   - Virtual time passes in jumps to the moments of timers; only a program that reads
//     the clock sees that it has taken an instant to do so (Moment). So a goroutine that is
//     slow between two of them, and sets a timer of its own only then, is not
//     explored. With Options.Patience no timer expires early that is believed, with
//     Options.Guards none that is a test's patience (patience.go), and
//     Random, pct and pos let time pass for up to a millisecond in an execution. A
//     search without a bound on preemptions lets six timers expire early in an
//     execution; with more it is not Exhausted. A program is known to use timers when
//     an execution has shown it; then reading the clock is a scheduling point
//     (Options.Clocked). A loop that waits for a timer without sleeping goes on when
//     for 200 steps nothing was done but to look at the same things, by all that
//     could go on; who has not had a turn meanwhile gets one first. After a
//     quarter of the steps that an execution may make, a timer expires that may do so
//     early, whatever the others do. When
//     time has passed a hundred times without enabling a goroutine, timers set by
//     timers' functions count as tickers that nobody listens to: they hide no
//     deadlock, and their ticks are skipped up to the next other timer.
//   - Goroutines that a timer wakes again and again, such as janitors. When the
//     test has ended, and each goroutine that is left has run in turn for 20
//     rounds (from one passing of time to the next), the execution ends, as Cut: a
//     real process would have ended before. So it does when for 20 rounds nobody was
//     left but who a timer starts. Goroutines that stand still beside them
//     are reported as blocked for ever after 1,000 rounds in which the others did
//     no more than receive ticks, take and release locks, and read; else the
//     execution ends 5,000 rounds after the test. A goroutine that counts more
//     ticks than that in a local variable, to release others then, is misjudged.
//   - Goroutines that are blocked while others run on for ever in a loop: they count
//     as blocked for ever after 20,000 steps in which the others did no more than
//     look, with no timer set. Else such an execution ends at the bound on steps, as
//     Cut. If one of the running goroutines never waits, and the strategy kept no
//     other from going on all the time, it Spins, and nothing is concluded.
//   - Numbers that a program links from the runtime, and seeds of maphash, are the same in
//     all executions (linked.go); others are not tried.
//   - Memory is sequentially consistent, as race-free Go programs see it.
//   - runtime.NumGoroutine counts goroutines that have made their last step, up to twice
//     in an execution, until time passes. runtime.Stack does not show them.
//   - Values of type unsafe.Pointer and code that is not under control: their reads
//     and writes are seen only through Read and Write, those of the standard library
//     as package effects knows them (Uses). Execution.Unwatched says where that was
//     not enough; such an execution makes no search Exhausted.
//   - Of memory that goroutines may share 16 MB are watched. With more, accesses are
//     forgotten that no goroutine can race with, and if that is not enough, others:
//     then the execution is Unwatched.
//   - A channel with a buffer of more than 16 MB has a smaller one to code that is not
//     under control.
//   - A channel that was not made under control ends the execution as
//     Uncontrolled. With Options.Inherit those that the program made when it was
//     initialised are taken over, unless goroutines were started then.
//
// # The environment
//
// Goroutines outside control (of net/http, os/exec, a package that was not
// rewritten) are the environment of an execution. Two things happen at the border:
//
//   - A goroutine under control blocks in a call that is not. Run looks at the
//     stack of a goroutine whose step does not end, soon after an
//     UncontrolledCall and else every 10 ms. If it is blocked while no goroutine
//     outside control runs, it is outside from then on, and others go on.
//   - A goroutine that code outside control started comes to an operation, as in an
//     HTTP handler. It is adopted: a goroutine under control like others, named
//     after the package in which it began. When it blocks in its package again, or
//     has ended, it is outside again.
//
// Who comes from outside waits until nothing under control can go on and the
// environment is at rest. Then all that have arrived are admitted. An admission is
// a choice of the schedule (@3), and a replay waits for it. So the environment is
// always slow: that it interferes while goroutines under control could go on is
// not explored. All that was done by then happens before what the admitted ones
// do, and so they have no false races with it; with each other they may have true
// ones. UncontrolledCalls are ordered among themselves. What code outside control
// sends on a buffered channel that it was given (Shares) arrives in the same way.
//
// When nothing can go on, the engine waits for goroutines that are outside, for up
// to Options.StepTime of wall-clock time in an execution. Virtual time meanwhile
// passes no faster than real time. If they do not come back, or an uncontrolled
// goroutine is left that may wake those that wait, the execution ends as
// Uncontrolled: it is not known whether they wait for ever. What is outside after
// the test's end is waited for during 20 ms.
//
// Execution.Environment has the packages on which an execution depended. Its
// failures count if their schedule fails again in the same way; a search without
// them is Inconclusive. Real timers of such code are not seen. Deadlines that are set for connections and
// the times of files are converted between the clocks; see wallclock.go. After an
// uncontrolled call, or a loop that waits by reading the clock, the result is not
// Exhausted.
//
// At the end of an execution goroutines that are outside become orphans. They
// keep all that they hold: memory, real locks, files. One that comes back to an
// operation ends there. A step that runs for more than Options.StepTime without
// being blocked loops without operations. It ends the execution as Uncontrolled,
// and its goroutine is an orphan, too; it takes a processor until the process ends.
// A caller that wants a clean state starts a new process.
//
// Finalizers are not run during executions, if the program never calls runtime.GC; such
// a program cannot rely on them. Not adopted are the goroutine that runs them else, and others that must not be
// ended: their operations end the execution as Uncontrolled. Goroutines that init
// functions started before the first execution are retired when they come to an
// operation, since the program is initialised anew (see Options.Inherit).
//
// Fatal errors of the runtime (stack overflow, out of memory, real concurrent
// map writes in code that is not under control) end the process, as always.
package sched
