package time

import (
	"math"
	"time"

	"mendel/checker/sched"
)

// A Ticker sends the time on its channel at intervals.
type Ticker struct {
	C        <-chan Time
	real     *time.Ticker // made outside control
	virtual  *sched.Timer
	interval Duration
	lapse    Duration // until the next tick: more than interval while nobody receives
}

// NewTicker returns a Ticker with interval d, which must be positive.
func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	if !sched.Active() {
		t := time.NewTicker(d)
		return &Ticker{C: t.C, real: t}
	}
	c := sched.MakeChan[Time](1)
	t := &Ticker{C: c, interval: d}
	t.virtual = sched.NewTimerFor(sched.Sends(c), "time.NewTicker", d, func() { t.tick(c) })
	return t
}

// tick sends the time and sets the timer again.
func (t *Ticker) tick(c chan Time) {
	if send(c) || sched.Bubbled() != nil { // a bubble's ticks have their times
		t.lapse = t.interval
	} else if t.lapse *= 2; t.lapse <= 0 {
		t.lapse = math.MaxInt64
	}
	if left := bounded(t.lapse); left > 0 { // else it is the end of time
		t.virtual.Reset(left)
	}
}

// Stop turns t off. It does not close the channel.
func (t *Ticker) Stop() {
	if t.virtual != nil {
		t.virtual.Stop()
	} else if t.real != nil {
		t.real.Stop()
	}
}

// Reset stops t and starts it with interval d, which must be positive.
func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	switch {
	case t.virtual != nil:
		t.interval = d
		t.virtual.Reset(d)
	case t.real != nil:
		t.real.Reset(d)
	default:
		panic("time: Reset called on uninitialized Ticker")
	}
}

// Tick is NewTicker(d).C, nil if d is not positive.
func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}
