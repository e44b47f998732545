package time

import (
	"math"
	"time"

	"mendel/checker/sched"
)

// Now returns the current local time; under control, the virtual one.
func Now() Time {
	if !sched.Active() {
		return time.Now()
	}
	t := sched.Start().Add(sched.Moment())
	if sched.Bubbled() != nil {
		return t
	}
	return monotonic.Add(t.Sub(monotonic))
}

// monotonic has a reading of the monotonic clock, which times under control get, too:
// one that has it is not equal to one that was made of it without, as by t.Local.
var monotonic = time.Now()

// Since returns the time elapsed since t.
func Since(t Time) Duration { return Now().Sub(t) }

// Until returns the duration until t.
func Until(t Time) Duration { return t.Sub(Now()) }

// Sleep waits for the duration d.
func Sleep(d Duration) { sched.Sleep(d) }

// bounded returns d, or less where the clock would overflow.
func bounded(d Duration) Duration { return min(d, math.MaxInt64-sched.Now()) }
