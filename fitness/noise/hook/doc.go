// Package hook is compiled into the program under test. It perturbs the
// program where the instrumentation put hooks, and looks at the end of each
// test for goroutines that are blocked for ever.
//
// It becomes part of the standard library of the build, as mendelrt/noise. So
// it imports the standard library and package symbol, which goes with it.
//
// # No happens-before edge
//
// The race detector reports two accesses only when nothing orders them. A
// hook that locked a mutex, used an atomic or a channel would order what it
// stands between, and races would vanish because they are looked for. So
// [P], [A] and [G] use plain variables in functions marked go:norace: they do race
// with each other, and nothing worse follows than a lost count. time.Sleep and
// runtime.Gosched add no edge (runtime/time.go annotates channels and
// functions of timers, not sleepers).
//
// # Blocked for ever
//
// [Watch] compares the goroutines at the end of a test with those at its
// beginning. One that waits for a mutex, a condition, a wait group or to send,
// and does so stably, is reported; one that receives or selects only when it
// stays for longer and its function is not known to wait for a timer or
// signal, and one that is asleep, runs, or waits for the network or the kernel never.
// Only goroutines of the program's own packages count. While a test runs, a
// watchdog reports a deadlock as soon as every goroutine is stably blocked in
// such a way; the runtime's own detector is blind here, because the race
// detector's C runtime switches it off.
package hook
