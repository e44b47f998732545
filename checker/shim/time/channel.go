package time

import (
	"time"

	"mendel/checker/sched"
)

// synchronous reports whether the channels of timers are those of Go 1.23: without
// room, as far as the program can tell, and without values of an earlier setting.
// A main module whose go line is older has the former ones.
var synchronous = func() bool {
	t := time.NewTimer(time.Hour)
	defer t.Stop()
	return cap(t.C) == 0
}()

// sends is what a timer does that sends on a channel.
func sends(c chan Time) sched.Effect {
	e := sched.Sends(c)
	if !synchronous {
		return e.Leaving()
	}
	return e
}

// makeChan makes the channel of a timer or ticker.
func makeChan() chan Time {
	if synchronous {
		return sched.TimerChan[Time]()
	}
	return sched.MakeChan[Time](1)
}
