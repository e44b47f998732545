package mendel

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"mendel/fitness/noise"
)

const (
	// glanceBudget is the budget of a repair that would spend on its baseline
	// what a quick look may: a quarter of it goes to noised runs.
	glanceBudget = 12 * time.Second
	// glanceShare is the part of a series' budget that all quick looks may take.
	glanceShare = 0.25
	// atOnce is the share of runs that fail where a failure is seen at once.
	// Guessed.
	atOnce = 0.5
)

// A Glance is what a quick look at a package shows: how easy it seems to repair.
type Glance struct {
	Failed      int     `json:"failed"`      // noised runs
	Runs        int     `json:"runs"`        // of so many
	Checked     bool    `json:"checked"`     // the checker has seen a failure
	Edits       int     `json:"edits"`       // places and ways to edit; 0 without a failure
	TestSeconds float64 `json:"testSeconds"` // mean of a noised run
	Seconds     float64 `json:"seconds"`     // that the look took; 0: there was none
}

// class is 0 where a failure is seen at once, 1 where it is seen, 2 where it
// was not, 3 where nobody looked.
func (g Glance) class() int {
	switch {
	case g.Seconds == 0:
		return 3
	case g.Checked || g.Failed > 0 && float64(g.Failed) >= atOnce*float64(g.Runs):
		return 0
	case g.Failed > 0:
		return 1
	}
	return 2
}

// compare orders packages by how easy they seem, the easiest first.
func (g Glance) compare(o Glance) int {
	return cmp.Or(cmp.Compare(g.class(), o.class()), cmp.Compare(g.Edits, o.Edits), cmp.Compare(g.TestSeconds, o.TestSeconds))
}

// glance takes a quick look at a member. What a look shows for good is its
// status: that it does not build, has no test of the pattern, or fails for
// reasons that have nothing to do with concurrency.
func (r *seriesRun) glance(ctx context.Context, m *Member) {
	limit := time.Duration(glanceShare * float64(r.o.Budget) / float64(len(r.series.Members)))
	ctx, cancel := context.WithTimeout(ctx, max(limit, glanceBudget))
	defer cancel()
	o := r.o
	o.Dir, o.Package, o.Out, o.Resume = m.Dir, m.Package, "", false
	o.Budget, o.Observer, o.Verbose = glanceBudget, silent{}, false

	began := time.Now()
	var err error
	m.Glance, m.Failures, err = r.look(ctx, o)
	m.Glance.Seconds = max(time.Since(began).Seconds(), time.Millisecond.Seconds())

	var absent *errNoTests
	reason, unseen := asNotReproduced(err)
	switch {
	case err == nil, ctx.Err() != nil: // a longer look shows what this one could not
	case unseen && m.Glance.Failed == 0:
	case unseen:
		m.Status, m.Reason = NotReproduced, reason
	case errors.As(err, &absent):
		m.Status, m.Reason = NotReproduced, err.Error()
	default:
		m.Status, m.Reason = Failed, err.Error()
	}
	if m.Status != "" {
		r.o.Observer.Printf("%s: %s", r.name(*m), m.line())
	}
}

// look loads a program, looks for its failures, whose messages it returns, and
// counts the edits. Without a failure the error is an *errNotReproduced.
func look(ctx context.Context, o Options) (g Glance, failures []string, err error) {
	r := &repairer{o: o, result: &Result{}}
	if err := r.load(ctx); err != nil {
		return g, nil, err
	}
	defer func() { _ = r.harness.Close() }() // the one there is then
	defer r.closeChecker()
	r.phase("glance", "reproducing")
	base, err := r.reproduce(ctx)
	if base == nil {
		return g, nil, err
	}
	for _, f := range base.failures {
		failures = append(failures, f.Message)
	}
	if err == nil {
		err = r.narrow(base)
	}
	return base.glance(r.result.Narrowed.Edits), failures, err
}

// glance sums up a baseline.
func (b *baseline) glance(edits int) Glance {
	g := Glance{Failed: b.failed, Runs: len(b.noised), Edits: edits}
	g.Checked = slices.ContainsFunc(b.failures, func(f Failure) bool { return f.found != nil })
	if len(b.noised) > 0 {
		g.TestSeconds = meanSeconds(b.noised)
	}
	return g
}

// meanSeconds is how long a run takes.
func meanSeconds(runs []noise.Outcome) float64 {
	var sum time.Duration
	for _, o := range runs {
		sum += o.Elapsed
	}
	return (sum / time.Duration(len(runs))).Seconds()
}
