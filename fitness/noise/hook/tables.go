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
)
