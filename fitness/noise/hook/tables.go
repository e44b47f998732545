package hook

// What is known of the program under test. A build replaces this file.
var (
	// packages are the import paths, as stacks show them, of the instrumented packages.
	packages = []string{}
	// timed are functions, as stacks show them, whose receives and selects may be ended
	// by a timer or a signal.
	timed = []string{}
	// callbacks reports whether the program starts functions from timers, which
	// may free any goroutine.
	callbacks = false
	// guarded reports whether the watchdog may run. It is useless with callbacks, and
	// disturbs a program that counts its goroutines.
	guarded = true
	// leakProfile reports whether the runtime's leak profile is asked. From Go 1.27 on
	// every program has one.
	leakProfile = false
	// limited are functions, as stacks show them, that may fail a test because
	// something did not happen in time, or because of the goroutines they count.
	limited = []string{}
	// grouped are tests that have subtests.
	grouped = []string{}
	// raceErrors is how many races the race detector has reported.
	raceErrors = func() int { return 0 }
)
