package sched

import (
	"bytes"
	"runtime"
	"runtime/debug"
)

// Every operation must know whether it is called under control. To ask Go for the
// identity of a goroutine costs a microsecond. So goroutines under control are
// marked by a flag that the runtime keeps for each goroutine, does not pass on to
// those it starts, and lets every goroutine read: debug.SetPanicOnFault. All but
// one of the marked goroutines stand still, so a marked one that comes here is the
// running one, or an orphan (orphan.go). The purpose of the flag, that an access
// to unmapped memory panics and does not end the process, does no harm. A program
// that clears the flag counts as not under control.

// mark marks the calling goroutine.
func mark() { debug.SetPanicOnFault(true) }

// marked reports whether the calling goroutine is marked.
func marked() bool {
	if debug.SetPanicOnFault(true) {
		return true
	}
	debug.SetPanicOnFault(false)
	return false
}

// unmarked is current in a goroutine that was not marked, and is now.
func (x *execution) unmarked() *goroutine {
	debug.SetPanicOnFault(false)
	return x.adopt()
}

// own returns the number of the calling goroutine, as in a goroutine dump. It
// takes about a microsecond.
func own() string {
	var buf [64]byte
	return number(buf[:runtime.Stack(buf[:], false)])
}

// number returns the goroutine's number from its part of a dump, which begins
// "goroutine 12 [running]:"; "" if there is none.
func number(stack []byte) string {
	rest, ok := bytes.CutPrefix(stack, []byte("goroutine "))
	n, _, found := bytes.Cut(rest, []byte(" "))
	if !ok || !found {
		return ""
	}
	return string(n)
}
