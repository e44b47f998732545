package sched

import (
	"strings"
	"sync"
)

// A goroutine that is not under control may be about to wake one that is: by a
// call back, or by a signal it passes on. As long as there is one, goroutines
// that wait are not blocked for ever as far as anybody knows. Those that were
// there before the first execution, the daemons of packages, do not count.

var daemons struct {
	once    sync.Once
	numbers map[string]bool
}

// noteDaemons is called before the first execution.
func noteDaemons() {
	daemons.once.Do(func() {
		daemons.numbers = map[string]bool{}
		for _, stack := range foreign(dump()) {
			daemons.numbers[number([]byte(stack))] = true
		}
	})
}

// foreigner returns the stack of a goroutine that is not under control and was
// started since the first execution, "" if there is none.
func foreigner() string {
	for _, stack := range foreign(dump()) {
		if !daemons.numbers[number([]byte(stack))] {
			return stack
		}
	}
	return ""
}

// foreign returns the stacks of a dump in which neither the engine nor the
// shims, the driver or package testing take part. Goroutines with frames of the
// runtime only are about to end.
func foreign(dump string) []string {
	var stacks []string
	for _, stack := range strings.Split(dump, "\n\n") {
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

// waits is how a failure is worded when a goroutine outside control is left.
func waits(stack string) string {
	entry := "unknown" // what the goroutine was started with: the last of its calls
	calls, _, _ := strings.Cut(stack, "\ncreated by ")
	for _, line := range strings.Split(calls, "\n")[1:] {
		if end := strings.LastIndex(line, "("); end > 0 && line[0] != '\t' && !strings.HasPrefix(line, "runtime.") {
			entry = line[:end]
		}
	}
	return "all goroutines under control wait, but one that is not, in " + entry + ", may go on and wake them:\n" + stack
}
