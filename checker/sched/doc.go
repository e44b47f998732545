// Package sched is the engine of the checker. It runs a Go program under a
// scheduler of its own and lets a strategy decide, step by step, which goroutine
// goes on. It models blocking, channels, virtual time and the happens-before
// order, and reports when an execution fails. The strategies that explore the
// schedules of a program are one per file.
//
// The package imports the standard library only, because it is compiled into
// the program under test.
//
// # Words
//
// An execution is one run of a body, a function such as one test, under Run. A
// goroutine is under control when it runs the body, or when one under control
// started it with Go. All others are uncontrolled. Goroutines have IDs in the
// order of creation; 0 runs the body. An operation is something others can
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
// # End of an execution
//
// When the body returns, the other goroutines run on. When nothing is enabled
// and no timer is set, the goroutines that remain are blocked for ever: Deadlock
// if the test is among them, Blocked otherwise. An execution ends at once at a
// race, a panic that is not recovered, Fail, too many steps, and at what cannot
// be controlled. See the constants beside Failure.
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
//     through plain memory. That is a race, and races are failures (or become
//     operations of KindAccess).
//   - Channels, with both edges of the memory model, capacity included: the k-th
//     receive happens before the completion of send k+C. An unbuffered send and
//     receive are one step; any waiting partner may be chosen. Every behaviour
//     explored is one of the real program and conversely. So a select with
//     default may miss a partner that has announced its operation: in the real
//     program the partner may not have begun to wait. (Once time has passed, it
//     has, since all had to wait for that.)
//   - Races: the first race of an execution is found, byte for byte. Nothing is
//     reported that is not a race by the edges of the memory model.
//   - Repetition: the same choices give the same execution, IDs and all, unless
//     the body itself depends on something else (the real clock, map order,
//     addresses).
//
// # What is not
//
//   - Virtual time: computing takes none, so a timer does not fire while a
//     goroutine can go on, though it may in a real program. Random, pct and pos
//     let it happen now and then, for up to a millisecond in an execution
//     (Timekeeper). Strategy dfs never does, so Exhausted says nothing about
//     timers that overtake goroutines. Timers that are due at the same moment all
//     fire, in the order in which they were set, before anything else happens. A
//     loop that waits for the clock without sleeping mostly ends in Timeout. When
//     time has passed a hundred times without enabling a goroutine, timers set by
//     timers' functions count as tickers that nobody listens to: they hide no
//     deadlock, and their ticks are skipped up to the next other timer.
//   - Goroutines that are blocked while others run on for ever, in a loop or
//     with a ticker: a goroutine is known to be blocked only when nothing else
//     can happen. Such an execution ends at the bound on steps, as Cut. If one of
//     the running goroutines never waits, it Spins, and nothing is concluded.
//   - Memory is sequentially consistent, as race-free Go programs see it.
//   - Values of type unsafe.Pointer, reflection and code that is not under
//     control: their reads and writes are seen only through Read and Write.
//   - A channel that was not made under control, and an operation by an
//     uncontrolled goroutine, end the execution as Uncontrolled.
//
// # Uncontrolled blocking
//
// A step that takes longer than Options.StepTime of wall-clock time ends the
// execution as Uncontrolled, with the goroutine's stack: it blocks in code that
// is not under control (a network connection, a real mutex in a package that was
// not rewritten) or loops without any operation. This is no verdict. Go cannot
// stop a goroutine from outside, so this one becomes an orphan and keeps all
// that it holds: its memory, real locks and files. It is kept apart from later
// executions. If it ever comes back to an operation, it ends there. If it loops,
// it takes a processor until the process ends. A caller that wants a clean state
// starts a new process.
//
// Goroutines under control may wait while there is an uncontrolled goroutine
// that was started since the first execution, or after a channel was given to
// uncontrolled code (Shares). Then it is not known whether they wait for ever,
// and the execution ends as Uncontrolled, too. Real timers of such code are not
// seen. After an uncontrolled call (UncontrolledCall), or a loop that waits by
// reading the clock, the result is not Exhausted.
//
// Fatal errors of the runtime (stack overflow, out of memory, real concurrent
// map writes in code that is not under control) end the process, as always.
package sched
