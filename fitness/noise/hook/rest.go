package hook

import "time"

// rest sleeps. In a bubble of synctest, where a sleep would be durably blocking, and
// let the bubble's time pass, it makes the thread sleep: to the program this looks
// like computing.
//
//go:norace
func rest(d time.Duration) {
	if inBubble() {
		pause(d)
		return
	}
	time.Sleep(d)
}

// inBubble reports whether the calling goroutine is in a bubble. There the time has
// no monotonic reading.
func inBubble() bool {
	now := time.Now()
	return now == now.Round(0)
}
