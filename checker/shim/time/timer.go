package time

import (
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"mendel/checker/sched"
)

// A Timer is a single event in the future.
type Timer struct {
	C       <-chan Time // nil for a Timer of AfterFunc
	real    *time.Timer // made outside control
	virtual *sched.Timer
}

// NewTimer returns a Timer that sends the time on its channel after d.
func NewTimer(d Duration) *Timer { return newTimer("time.NewTimer", d) }

// After is NewTimer(d).C.
func After(d Duration) <-chan Time { return newTimer("time.After", d).C }

func newTimer(what string, d Duration) *Timer {
	if !sched.Active() {
		t := time.NewTimer(d)
		return &Timer{C: t.C, real: t}
	}
	c := sched.MakeChan[Time](1)
	return &Timer{C: c, virtual: sched.NewTimerFor(sched.Sends(c), what, d, func() { send(c) })}
}

// AfterFunc returns a Timer that calls f in a goroutine of its own after d.
func AfterFunc(d Duration, f func()) *Timer {
	if !sched.Active() {
		return &Timer{real: time.AfterFunc(d, sched.Early(f))}
	}
	site := ""
	if _, file, line, ok := runtime.Caller(1); ok {
		site = filepath.Base(file) + ":" + strconv.Itoa(line)
	}
	start := func() { sched.GoAt(site, func() { f() }) }
	return &Timer{virtual: sched.NewTimerFor(sched.Starts, "time.AfterFunc", d, start)}
}

// Stop prevents t from firing and reports whether it did: false if t had been
// stopped or, for a Timer of AfterFunc, had fired, or if the value was received.
func (t *Timer) Stop() bool {
	switch {
	case t.virtual != nil:
		return t.virtual.Stop()
	case t.real != nil:
		return t.real.Stop()
	}
	panic("time: Stop called on uninitialized Timer")
}

// Reset makes t fire after d, and not at any earlier setting. It reports
// whether t had been active.
func (t *Timer) Reset(d Duration) bool {
	switch {
	case t.virtual != nil:
		return t.virtual.Reset(d)
	case t.real != nil:
		return t.real.Reset(d)
	}
	panic("time: Reset called on uninitialized Timer")
}

// send sends the time if there is room, and reports whether there was.
func send(c chan Time) bool {
	return sched.SelectDefault(sched.To(c).Case(Now())) == 0
}
