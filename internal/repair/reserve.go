package repair

import (
	"context"
	"errors"
	"time"

	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

// errTimeLeft ends a search that has used its time: what is left of the budget is
// for validation, and nothing is to be validated.
var errTimeLeft = errors.New("what is left of the budget is kept for validation")

const (
	// validationOverhead is what validation takes beside its noised runs: builds,
	// go vet, the checker, the other tests. Guessed; it took 2 to 6 s on programs
	// whose tests are quick.
	validationOverhead = 4 * time.Second
	// proofBuilds is how many executables are built for a validation: the package's tests with
	// and without the race detector, and the scenarios of both programs.
	proofBuilds = 4
	// longestReserve is kept back at most: validation is to take no longer, however
	// slow the tests are.
	longestReserve = 30 * time.Second
	// reservedShare is the part of a search's time, one of so many, that is kept
	// back at most. Guessed.
	reservedShare = 3
)

// searchLimit is the context in which a search under ctx may go on; see [result.Wanted.SearchBudget].
func (j *judges) searchLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited || j.SearchBudget == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-max(0, j.Budget-j.SearchBudget)))
}

// leaveTime returns the context of a search that may go on until its own limit, and leaves so much of
// the time under ctx that what it finds at its end can be validated.
func (j *judges) leaveTime(until, ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited || j.UntilCandidate {
		return context.WithCancel(until)
	}
	left, each := time.Until(deadline), mean(j.base.Noised)
	runs := j.validator.Expected(j.source != nil && j.source.Off() == "", each)
	return context.WithTimeout(until, left-reserve(left, runs, j.RunsAtATime(), each, perBuild(j.Progress.Meter.Building.Builds())))
}

// reserve is how much of the time that is left is kept for a validation with so
// many noised runs, of which some go on side by side and each takes so long, and with
// builds that take so long each.
func reserve(left time.Duration, runs, atATime int, each, build time.Duration) time.Duration {
	rounds := (runs + atATime - 1) / atATime
	return min(max(validationOverhead, proofBuilds*build)+time.Duration(rounds)*each, longestReserve, left/reservedShare)
}

// perBuild is how long building an executable has taken until now, on this machine as busy as it is.
func perBuild(b gotool.Builds) time.Duration {
	return b.Time / time.Duration(max(1, b.Executables))
}

// mean is how long a run takes.
func mean(runs []noise.Outcome) time.Duration {
	var sum time.Duration
	for _, o := range runs {
		sum += o.Elapsed
	}
	return sum / time.Duration(max(1, len(runs)))
}
