// Package hook is compiled into the program under test. It perturbs the
// program where the instrumentation put hooks, and looks at the end of each
// test for goroutines that are blocked for ever.
//
// It becomes part of the standard library of the build, as mendelrt/noise. So
// it imports the standard library and package symbol, which goes with it.
//
// # No happens-before edge
//
// The race detector reports two accesses only when nothing orders them. A hook
// that locked a mutex, or used an atomic or a channel, would order the statements
// around it and so hide races. So [P], [A], [G] and [F] use plain variables in
// functions marked go:norace. They race with each other; the worst effect is a
// lost count. time.Sleep and runtime.Gosched add no edge (runtime/time.go
// annotates channels and functions of timers, not sleepers).
//
// # Causal past
//
// In a run of its own, without noise, the hooks find out which goroutines did
// something that happens before a failing assertion; see [Past].
//
// # Blocked for ever
//
// [Watch] compares the goroutines at the end of a test with those at its
// beginning:
//
//   - One that stays in a wait for a mutex, a condition, a wait group or to send
//     is reported.
//   - One that receives or selects is reported when it stays for longer, and its
//     function is not known to wait for a timer or signal.
//   - One that sleeps, runs, or waits for the network or the kernel is never
//     reported.
//   - None is reported while goroutines get the locks that they wait for, one after
//     the other, however long that takes, unless the leak profile says that nothing
//     can reach it.
//
// A test that has failed is looked at too, since what is blocked may be why:
//
//   - If it has waited with a time limit, or counts goroutines, those that wait
//     for a lock, a condition, a wait group or a receiver when it fails are reported.
//     The others that wait are reported as part of the failure.
//   - If it went on to its end, it is treated like one that passes.
//   - If it was given up (FailNow, a panic), nothing is reported: it would have
//     freed the goroutines that it leaves.
//
// Only goroutines of the program's own packages count. While a test runs, a
// watchdog reports a deadlock as soon as every goroutine stays blocked in such a
// way. The runtime's own detector does not work here, because the race
// detector's C runtime switches it off.
package hook
