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
	return sched.Start().Add(sched.Now())
}

// Since returns the time elapsed since t.
func Since(t Time) Duration { return Now().Sub(t) }

// Until returns the duration until t.
func Until(t Time) Duration { return t.Sub(Now()) }

// Sleep waits for the duration d.
func Sleep(d Duration) { sched.Sleep(d) }

// bounded returns d, or less where the clock would overflow.
func bounded(d Duration) Duration { return min(d, math.MaxInt64-sched.Now()) }
