package sched

import "unsafe"

// TimerChan makes the channel of a timer or ticker: it has room for one value, but
// to the program len and cap of it are 0.
func TimerChan[T any]() chan T {
	c := MakeChan[T](1)
	if g := current(); g != nil {
		g.x.channels[*(*unsafe.Pointer)(unsafe.Pointer(&c))].timers = true
	}
	return c
}
