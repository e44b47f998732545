package hook

import (
	"strconv"
	"strings"
	"time"

	"mendel/fitness/noise/hook"
)

// longestDelay bounds the delays of the strategy that delays accesses at random. Guessed.
const longestDelay = 10 * time.Millisecond

// delays are those of a run. Its fields are set before the program's own code runs.
var delays struct {
	seed, rate uint64 // one access in rate is delayed; 0: none
	count      uint64
}

// parseDelays reads "seed rate"; zeros if it is something else.
func parseDelays(text string) (seed, rate uint64) {
	first, second, _ := strings.Cut(text, " ")
	seed, err := strconv.ParseUint(first, 10, 64)
	if err != nil {
		return 0, 0
	}
	if rate, err = strconv.ParseUint(second, 10, 64); err != nil {
		return 0, 0
	}
	return seed, rate
}

// delay delays the calling goroutine at some accesses.
//
//go:norace
func delay() {
	r := mix(delays.seed ^ mix(add(&delays.count, 1)))
	if r%delays.rate == 0 {
		hook.Rest(time.Duration(mix(r) % uint64(longestDelay)))
	}
}
