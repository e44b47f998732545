package socket

import (
	"time"

	"mendel/checker/sched"
)

// A deadline is one of the reads or of the writes of a socket.
type deadline struct {
	passed bool
	timer  *sched.Timer
	set    int // how often it was
}

// stop ends the wait for the deadline.
func (d *deadline) stop() {
	d.set++
	if t := d.timer; t != nil {
		d.timer = nil
		t.Stop()
	}
}

// move sets the deadline to so much virtual time from now; none: there is none. The caller
// has made a step of the socket. Setting and stopping timers are other steps, in which
// somebody else may move the deadline: then what this timer does is of no account.
func (d *deadline) move(left time.Duration, none bool) {
	d.passed = !none && left <= 0
	d.set++
	set, old := d.set, d.timer
	d.timer = nil
	if !none && !d.passed {
		timer := sched.NewTimer(left, func() { d.passed = d.passed || d.set == set })
		if d.set == set {
			d.timer = timer
		} else {
			timer.Stop()
		}
	}
	if old != nil {
		old.Stop()
	}
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
		s.reading.move(left, t.IsZero())
	}
	if which == ForRead|ForWrite {
		s.step("SetDeadline")
	}
	if which&ForWrite != 0 && !s.closed {
		s.writing.move(left, t.IsZero())
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
