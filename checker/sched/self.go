package sched

import (
	"bytes"
	"runtime"
	"runtime/debug"
)

// Go tells a goroutine nothing about itself that costs less than a microsecond,
// and every operation needs to know whether it is called under control. So
// goroutines under control are marked in a flag that the runtime keeps for each
// goroutine, does not pass on to those it starts, and that anybody may ask:
// debug.SetPanicOnFault. All but one of the marked goroutines stand still, so a
// marked one that comes here is the running one, or was orphaned (orphan.go).
// What the flag is meant for, that an access to unmapped memory panics and does
// not end the process, does no harm. A program that clears it is taken for one
// that is not under control.

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
