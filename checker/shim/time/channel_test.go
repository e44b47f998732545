package time_test

import (
	"fmt"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/shim/time"
)

// The channel of a timer holds a value, but does not show it.
func TestTimerChannel(t *testing.T) {
	check(t, func() string {
		timer, ticker := time.NewTimer(time.Second), time.NewTicker(time.Second)
		defer ticker.Stop()
		time.Sleep(time.Minute)
		return fmt.Sprint(sched.Len(timer.C), sched.Cap(timer.C), sched.Len(ticker.C), sched.Cap(ticker.C), timer.Stop())
	}, "0 0 0 0 true")
}
