package sched

import (
	"strings"
	"sync"
)

// An uncontrolled goroutine may be about to wake one under control: by a call
// back, or by a signal it passes on. As long as there is one, it is not certain
// that goroutines that wait are blocked for ever. The daemons of packages, which
// existed before the first execution, do not count.

var daemons struct {
	once    sync.Once
	numbers map[string]bool
}

// noteDaemons is called before the first execution.
func noteDaemons() {
	daemons.once.Do(func() {
		daemons.numbers = map[string]bool{}
		for _, stack := range uncontrolledStacks(dump()) {
			daemons.numbers[number([]byte(stack))] = true
		}
	})
}

// uncontrolledGoroutine returns the stack of an uncontrolled goroutine that was
// started since the first execution, "" if there is none.
func uncontrolledGoroutine() string {
	for _, stack := range uncontrolledStacks(dump()) {
		if !daemons.numbers[number([]byte(stack))] {
			return stack
		}
	}
	return ""
}

// uncontrolledStacks returns the stacks of a dump without frames of the engine,
// the shims, the driver and package testing. Goroutines with frames of the
// runtime only are about to end, and left out.
func uncontrolledStacks(dump string) []string {
	var stacks []string
	for stack := range stacksOf(dump) {
		calls, _, _ := strings.Cut(stack, "\ncreated by ")
		ours, others := false, false
		for _, line := range strings.Split(calls, "\n")[1:] {
			switch {
			case strings.HasPrefix(line, "\t"), strings.HasPrefix(line, "runtime."):
			case strings.HasPrefix(line, home), strings.HasPrefix(line, "testing."), strings.HasPrefix(line, "main.main("):
				ours = true
			default:
				others = true
			}
		}
		if others && !ours {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// mayWake words a failure when an uncontrolled goroutine is left.
func mayWake(stack string) string {
	entry := "unknown" // what the goroutine was started with: the last of its calls
	calls, _, _ := strings.Cut(stack, "\ncreated by ")
	for _, line := range strings.Split(calls, "\n")[1:] {
		if end := strings.LastIndex(line, "("); end > 0 && line[0] != '\t' && !strings.HasPrefix(line, "runtime.") {
			entry = line[:end]
		}
	}
	return "all goroutines under control wait, but one that is not, in " + entry + ", may go on and wake them:\n" + stack
}
