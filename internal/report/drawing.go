package report

import (
	"fmt"

	"mendel/analysis/evidence"
)

// A drawing says how an execution that fails in one way is drawn.
type drawing struct {
	// conflict: the places of the failure are two accesses that nothing orders.
	conflict bool
	// stuck: they are where goroutines are blocked for ever.
	stuck bool
	// unwinds: a goroutine runs deferred functions behind the place, and others may end meanwhile.
	unwinds bool
	// lead is what a goroutine does at the place; "": what the place says.
	lead string
	// ending says how the execution ended; nil: the words of the kind, with the message.
	ending func(l *lanes) string
}

// drawings are those of the kinds of failure: a row for each of [evidence.Kinds].
var drawings = map[evidence.Kind]drawing{
	evidence.Race: {conflict: true, ending: func(*lanes) string { return "data race: nothing orders the two accesses" }},
	evidence.Deadlock: {stuck: true, ending: func(l *lanes) string {
		n := l.unfinished()
		if n == len(l.t.names) && n > 1 {
			return fmt.Sprintf("deadlock: all %d goroutines are blocked for ever", n)
		}
		return fmt.Sprintf("deadlock: %s blocked for ever", areGoroutines(n))
	}},
	evidence.Blocked: {stuck: true, ending: func(l *lanes) string {
		return fmt.Sprintf("the test has returned, %s blocked for ever", areGoroutines(l.unfinished()))
	}},
	evidence.Panic:       {unwinds: true},
	evidence.TestFailure: {lead: "fails"},
	evidence.Timeout:     {lead: "goes on", ending: func(*lanes) string { return "it does not end" }},
}
