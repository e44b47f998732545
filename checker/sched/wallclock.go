package sched

import (
	"reflect"
	"sync/atomic"
	"time"
)

// Code that is not under control has the real clock: the times of files and the
// deadlines of connections are real. Where a program hands such a moment over, it
// is converted from one clock to the other. In files the real clock is coarse, so
// that what happened before and after some virtual time could seem simultaneous:
// a program that asks for the times of files really waits a moment for each
// stretch of virtual time.

// A wallClock is what an execution knows of the real clock.
type wallClock struct {
	real   time.Time // at the start of the execution
	passes []passing // of virtual time, in programs that ask for the times of files
	waited time.Duration
}

// A passing is a moment at which virtual time passed.
type passing struct {
	at  time.Duration // real, since wallClock.real
	now time.Duration // virtual, since the start
}

const (
	// coarse is more than what the clock of a file system may be behind.
	coarse = 25 * time.Millisecond // guessed: twice the longest tick of a kernel, and some
	// maxWaited bounds the real waiting in an execution. Guessed.
	maxWaited = time.Second
)

// asksFiles is set in a program that asks for the times of files.
var asksFiles atomic.Bool

// AsksFiles notes, when the program is initialised, that it asks for the times of
// files. The result means nothing.
func AsksFiles() struct{} {
	asksFiles.Store(true)
	return struct{}{}
}

// begins sets the clocks of a new execution.
func (x *execution) begins() {
	x.time.real = time.Now()
	if x.time.start = x.options.Start; x.time.start.IsZero() || orphans.left.Load() {
		x.time.start = x.time.real
	} else {
		x.result.Start = x.time.start
	}
	x.time.start = x.time.start.Round(0) // without the monotonic clock
}

// keepStart forgets the start of an execution for which the real time mattered: a
// later replay of its schedule has another one.
func (x *execution) keepStart() {
	if x.result.UncontrolledCall != "" || len(x.result.Environment) > 0 {
		x.result.Start = time.Time{}
	}
}

// pass notes that virtual time is about to pass to a moment.
func (w *wallClock) pass(x *execution, now time.Duration) {
	if !asksFiles.Load() || now <= x.time.clock.now {
		return
	}
	if w.waited < maxWaited {
		time.Sleep(coarse)
		w.waited += coarse
	}
	w.passes = append(w.passes, passing{time.Since(w.real), now})
}

// virtual converts a moment of the real clock. What was before the execution, or
// will be in the future, is the same by both.
func (x *execution) virtual(t time.Time) time.Time {
	since := t.Sub(x.time.real)
	if since < -coarse || since > time.Since(x.time.real) {
		return earlier(t, x.time.start.Add(x.time.clock.now), x.time.real)
	}
	at := x.time.start
	for _, p := range x.time.passes {
		if p.at > since+coarse/2 {
			break
		}
		at = x.time.start.Add(p.now)
	}
	return at
}

// earlier returns t, but of moments before the execution not one that is after
// now by the virtual clock, which may be slow.
func earlier(t, now, real time.Time) time.Time {
	if t.Before(real) && t.After(now) {
		return now
	}
	return t
}

// A FileInfo is what of an fs.FileInfo tells a time.
type FileInfo interface{ ModTime() time.Time }

// A FileOf stands for a file: fi.ModTime becomes OfFile(fi).ModTime.
type FileOf struct{ real FileInfo }

// OfFile returns what stands for fi.
func OfFile(fi FileInfo) FileOf { return FileOf{fi} }

// ModTime is fi.ModTime, by the virtual clock if fi is from the operating system.
func (f FileOf) ModTime() time.Time {
	t := f.real.ModTime()
	g := current()
	if g == nil || reflect.TypeOf(f.real).String() != "*os.fileStat" {
		return t
	}
	return g.x.virtual(t)
}

// A ConnOf stands for a connection or a file: c.SetDeadline becomes
// OfConn(c).SetDeadline.
type ConnOf struct{ real any }

// OfConn returns what stands for c, which may be of any type with one of the
// methods of ConnOf.
func OfConn(c any) ConnOf { return ConnOf{c} }

// SetDeadline is c.SetDeadline.
func (c ConnOf) SetDeadline(t time.Time) error {
	return c.real.(interface{ SetDeadline(time.Time) error }).SetDeadline(c.deadline(t))
}

// SetReadDeadline is c.SetReadDeadline.
func (c ConnOf) SetReadDeadline(t time.Time) error {
	return c.real.(interface{ SetReadDeadline(time.Time) error }).SetReadDeadline(c.deadline(t))
}

// SetWriteDeadline is c.SetWriteDeadline.
func (c ConnOf) SetWriteDeadline(t time.Time) error {
	return c.real.(interface{ SetWriteDeadline(time.Time) error }).SetWriteDeadline(c.deadline(t))
}

// deadline converts a moment of the virtual clock for a connection of the
// standard library: it is as far away by the real one.
func (c ConnOf) deadline(t time.Time) time.Time {
	g := current()
	if g == nil || t.IsZero() || !systems(reflect.TypeOf(c.real)) {
		return t
	}
	if g.bubble != nil {
		g.x.environment.doubt = "the deadline of a connection in a bubble, which is one of the real clock"
	}
	return time.Now().Add(t.Sub(Start().Add(g.time.now)))
}

// systems reports whether a type is one of the standard library with deadlines that
// the operating system keeps.
func systems(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.PkgPath() {
	case "net", "os", "crypto/tls":
		return true
	}
	return false
}
