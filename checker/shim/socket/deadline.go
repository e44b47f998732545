package socket

import (
	"time"

	"mendel/checker/sched"
)

// A deadline is one of the reads or of the writes of a socket.
type deadline struct {
	passed bool
	timer  *sched.Timer
}

// stop ends the wait for the deadline.
func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

// set moves the deadline to so much virtual time from now; none: there is none.
func (d *deadline) set(left time.Duration, none bool) {
	d.stop()
	d.passed = !none && left <= 0
	if none || d.passed {
		return
	}
	d.timer = sched.NewTimer(left, func() { d.passed = true })
}

// Which deadlines are set.
const (
	ForRead  = 1
	ForWrite = 2
)

// SetDeadline sets deadlines of a socket, to a moment of the virtual clock.
func (s *Socket) SetDeadline(t time.Time, which int) error {
	left := time.Duration(0)
	if !t.IsZero() {
		left = Left(t)
	}
	s.step("SetDeadline")
	if s.closed {
		return ErrClosed
	}
	if which&ForRead != 0 {
		s.reading.set(left, t.IsZero())
	}
	if which&ForWrite != 0 {
		s.writing.set(left, t.IsZero())
	}
	return nil
}

// Left is how long it is to a moment of the virtual clock.
func Left(t time.Time) time.Duration { return t.Sub(sched.Start().Add(sched.Now())) }

// Real is the moment of the real clock that is as far away as one of the virtual clock.
func Real(t time.Time) time.Time {
	if t.IsZero() || !sched.Active() {
		return t
	}
	return time.Now().Add(Left(t))
}
