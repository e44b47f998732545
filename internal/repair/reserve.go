package repair

import (
	"context"
	"errors"
	"time"

	"mendel/fitness/noise"
)

// errTimeLeft ends a search that has used its time: what is left of the budget is
// for validation, and nothing is to be validated.
var errTimeLeft = errors.New("what is left of the budget is kept for validation")

const (
	// validationOverhead is what validation takes beside its noised runs: builds,
	// go vet, the checker, the other tests. Guessed; it took 2 to 6 s on programs
	// whose tests are quick.
	validationOverhead = 4 * time.Second
	// longestReserve is kept back at most: validation is to take no longer, however
	// slow the tests are.
	longestReserve = 20 * time.Second
	// reservedShare is the part of a search's time, one of so many, that is kept
	// back at most. Guessed.
	reservedShare = 4
)

// leaveTime returns the context of a search under ctx that leaves so much of the
// time that what it finds at its end can be validated.
func (j *judges) leaveTime(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited || j.untilCandidate {
		return context.WithCancel(ctx)
	}
	left := time.Until(deadline)
	runs := j.confirm
	if j.noNoise {
		runs = 0
	}
	return context.WithTimeout(ctx, left-reserve(left, runs, j.runsAtATime(), j.base.noised))
}

// reserve is how much of the time that is left is kept for a validation with so
// many noised runs, of which some go on side by side. Each is expected to take
// what those of the original took.
func reserve(left time.Duration, runs, atATime int, original []noise.Outcome) time.Duration {
	var sum time.Duration
	for _, o := range original {
		sum += o.Elapsed
	}
	mean := sum / time.Duration(max(1, len(original)))
	rounds := (runs + atATime - 1) / atATime
	return min(validationOverhead+time.Duration(rounds)*mean, longestReserve, left/reservedShare)
}
