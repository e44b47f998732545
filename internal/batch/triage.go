package batch

import (
	"cmp"
	"context"
	"errors"
	"time"

	"mendel/analysis"
	"mendel/internal/repair/original"
	"mendel/internal/result"
)

const (
	// triageBudget is the budget of a repair that would spend on its baseline
	// what a quick look may: a quarter of it goes to noised runs.
	triageBudget = 12 * time.Second
	// longerLook is the share of a budget with which a repair may show what a look has
	// not. Guessed.
	longerLook = 2 * triageBudget
	// triageShare is the part of a series' budget that all quick looks may take where
	// it lets each be longer than that, looksShare the part that they take at most.
	triageShare = 0.25
	looksShare  = 0.5
	// cheapLooks: looks that take less than one of so many parts of what the budget has left are made before all
	// repairs. Guessed.
	cheapLooks = 10
	// atOnce is the share of runs that fail where a failure is seen at once.
	// Guessed.
	atOnce = 0.5
)

// seen is the last class in which a failure is.
const seen = 1

// class is 0 where a failure is seen at once, 1 where it is seen, or one that lets the tests
// pass, 2 where it was not, 3 where nobody looked.
func class(g original.Triage) int {
	switch {
	case g.Seconds == 0:
		return 3
	case g.Blocked:
		return seen // many a package lives with goroutines that its tests leave
	case g.Checked || g.Failed > 0 && float64(g.Failed) >= atOnce*float64(g.Runs):
		return 0
	case g.Failed > 0:
		return seen
	}
	return 2
}

// compare orders packages by how easy they seem, the easiest first.
func compare(g, o original.Triage) int {
	return cmp.Or(cmp.Compare(class(g), class(o)), cmp.Compare(g.Edits, o.Edits), cmp.Compare(g.TestSeconds, o.TestSeconds))
}

// triage takes a quick look at a package and returns it with what that shows.
// What a look shows for good is its status: that it does not build, has no test of the pattern, or fails for
// reasons that have nothing to do with concurrency.
func (r *run) triage(ctx context.Context, p Package) Package {
	limit := time.Duration(triageShare * float64(r.o.Budget) / float64(len(r.series.Packages)))
	ctx, cancel := context.WithTimeout(ctx, max(limit, triageBudget))
	defer cancel()
	o := r.o
	o.Dir, o.Package, o.Out, o.Resume = p.Dir, p.Path, "", false
	o.Budget, o.Observer, o.Verbose = triageBudget, result.Silent{}, false

	began := time.Now()
	var err error
	p.Triage, p.Failures, err = r.look(ctx, o)
	p.Triage.Seconds = max(time.Since(began).Seconds(), time.Millisecond.Seconds())

	var absent *analysis.NoTests
	var nothing *original.NotReproduced
	unseen := errors.As(err, &nothing)
	switch {
	case err == nil, ctx.Err() != nil: // a longer look shows what this one could not
	case unseen && p.Triage.Failed == 0:
		p.Reason = nothing.Reason // unless there is time for a longer look
	case unseen:
		p.Status, p.Reason = result.NotReproduced, nothing.Reason
	case errors.As(err, &absent):
		p.Status, p.Reason = result.NotReproduced, err.Error()
	default:
		p.Status, p.Reason = result.Failed, err.Error()
	}
	return p
}
