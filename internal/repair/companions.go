package repair

import (
	"context"
	"errors"
	"strings"
	"time"

	"mendel/internal/result"
	"mendel/validate"
)

// lessFactor is how many times the time of a fix's validation has to be left for
// another without what the tests do not exercise. Guessed.
const lessFactor = 2

// offerLess validates a flagged fix without the variables that it guards although the
// tests do not exercise them, to be offered beside it. Beside a fix without a flag it
// would come second, and cost as much again. Where too little time is left it is not
// validated: the fix itself matters more than the choice. clean reports that it is a
// fix without a flag.
func (j *judges) offerLess(ctx context.Context, f *findings, fix *validate.Fix, c candidate, generation int, took time.Duration) (clean bool, err error) {
	more := fix.Quality.Unexercised
	if len(more) == 0 || len(improvable(fix.Flags)) == 0 {
		return false, nil
	}
	deadline, limited := ctx.Deadline()
	if limited && time.Until(deadline) < lessFactor*took {
		j.Progress.Note("the fix without the lock for %s, which the tests do not exercise, was not validated: too little time was left", strings.Join(more, ", "))
		return false, nil
	}
	less, err := j.validator.WithoutCompanions(ctx, fix, c.mutant, c.result)
	if less != nil && len(less.Incomplete) == 0 && f.add(validatedFix{less, generation, j.Progress.Meter.Seconds()}) {
		j.Progress.Printf("a fix too, without the lock for %s: %s", strings.Join(more, ", "), result.Describe(less.Mutant.Edits))
		clean = len(improvable(less.Flags)) == 0
	}
	var rejected *validate.Rejected
	if errors.As(err, &rejected) {
		j.Progress.Printf("no fix without the lock for %s: %s", strings.Join(more, ", "), rejected.Reason)
		return false, nil
	}
	return clean, err
}
