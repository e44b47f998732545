package checker

import (
	"context"
	"slices"
	"time"

	"mendel/checker/sched"
	"mendel/checker/wire"
)

// A Replayed is what became of following a schedule.
type Replayed struct {
	Failure  *Failure // nil: passed
	Diverged string   // how the execution differed from the schedule; ""
	Reason   string   // why it could not be told, "" if it could
}

// Replay follows a schedule in a process of its own, traced. A schedule that
// cannot be read, or of a test that does not exist, is an error.
func (b *Binary) Replay(ctx context.Context, s Schedule) (*Replayed, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if _, err := b.tests([]string{s.Test}); err != nil {
		return nil, err
	}
	r, alone, err := b.follow(ctx, s, false)
	if err != nil || r.Failure != nil {
		return r, err
	}
	// State that cannot be re-initialised: the schedule may have been made in a
	// process of its own.
	again, _, err := b.follow(ctx, s, true)
	if err != nil {
		return nil, err
	}
	if alone || again.Failure != nil && again.Diverged == "" {
		return again, nil
	}
	return r, nil
}

// follow is Replay with the state re-initialised, or as the process begins.
// Stateful tells that the former cannot be done.
func (b *Binary) follow(ctx context.Context, s Schedule, single bool) (r *Replayed, stateful bool, err error) {
	c := b.checker
	release, err := c.acquire(ctx)
	if err != nil {
		return nil, false, err
	}
	defer release()
	var ready wire.Ready
	var got *wire.Test
	p, err := b.start(ctx, wire.Request{
		Mode:   wire.Replay,
		Tests:  []string{s.Test},
		First:  of([]string{s.Test}, []Schedule{s}),
		Search: wire.Search{StepTime: maxStepTime, Single: single},
	}, time.Now().Add(replayTime), func(a wire.Answer) {
		switch {
		case a.Ready != nil:
			ready = *a.Ready
		case a.Test != nil && a.Test.Name == s.Test && got == nil:
			got = a.Test
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, false, err
	}
	c.schedules.Add(1)
	r = &Replayed{}
	switch {
	case slices.Contains(ready.Missing, s.Test):
		r.Reason = "the instrumented test binary does not have " + s.Test
	case got == nil:
		r.Reason, _ = c.ending(&p)
	default:
		b.replayed(r, got, ready.Planted)
		return r, got.Stateful, nil
	}
	return r, false, nil
}

// replayed fills in what the process said.
func (b *Binary) replayed(r *Replayed, a *wire.Test, planted string) {
	r.Diverged = a.Diverged
	for _, w := range a.Failures {
		if _, ok := kinds[w.Failure.Kind]; !ok {
			r.Reason = w.Failure.Message
			continue
		}
		f := b.failure(a.Name, w)
		r.Failure, r.Reason = &f, ""
		return
	}
	switch {
	case r.Reason != "":
	case planted != "":
		r.Reason = "the self-check failed: " + planted
	case a.Verdict == sched.Inconclusive:
		r.Reason = a.Reason
	}
}
