package checker

import (
	"context"
	"slices"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// A Replayed is the result of following a schedule.
type Replayed struct {
	Failure  *Failure // nil: passed
	Diverged string   // how the execution differed from the schedule; ""
	Reason   string   // why the result is not known; "" if it is
	// Of an execution that passed; a failure has its own.
	Goroutines []string
	Trace      []sched.Event
	Accesses   []sched.Place // with GuidedOptions.Watch: Place.Step is the step of the trace that they follow
}

// GuidedOptions say how to guide a replay. Zero values are defaults.
type GuidedOptions struct {
	Steps int // bound of the execution; 0: the engine's
	// Watch are accesses to memory that Replayed.Accesses lists: of each the
	// first of each goroutine. Files are named absolutely.
	Watch []sched.Watched
}

// Replay follows a schedule in a process of its own, traced. A schedule that
// cannot be read, or of a test that does not exist, is an error.
func (b *Binary) Replay(ctx context.Context, s Schedule) (*Replayed, error) {
	return b.along(ctx, s, wire.Replay, GuidedOptions{})
}

// GuidedReplay follows a schedule of another program, from which this one differs
// a little. It passes over choices that are not possible. Where no choice is left,
// the goroutine that ran goes on. Diverged counts both. Else it is as Replay.
func (b *Binary) GuidedReplay(ctx context.Context, s Schedule, o GuidedOptions) (*Replayed, error) {
	watch := slices.Clone(o.Watch)
	for _, w := range o.Watch { // by the name that the compiler gives the file, too
		w.File = b.checker.printed(w.File)
		watch = append(watch, w)
	}
	o.Watch = watch
	return b.along(ctx, s, wire.Guided, o)
}

func (b *Binary) along(ctx context.Context, s Schedule, mode string, o GuidedOptions) (*Replayed, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if _, err := b.tests([]string{s.Test}); err != nil {
		return nil, err
	}
	r, alone, err := b.follow(ctx, s, mode, o, false)
	if err != nil || r.Failure != nil || mode == wire.Guided && !alone {
		return r, err
	}
	// State that cannot be re-initialised: the schedule may have been made in a
	// process of its own.
	again, _, err := b.follow(ctx, s, mode, o, true)
	if err != nil {
		return nil, err
	}
	if alone || again.Failure != nil && again.Diverged == "" {
		return again, nil
	}
	return r, nil
}

// follow is along with the state re-initialised or, with ownProcess, as it is when
// the process begins. stateful reports that it cannot be re-initialised.
func (b *Binary) follow(ctx context.Context, s Schedule, mode string, o GuidedOptions, ownProcess bool) (r *Replayed, stateful bool, err error) {
	c := b.checker
	release, err := c.acquire(ctx)
	if err != nil {
		return nil, false, err
	}
	defer release()
	var ready wire.Ready
	var got *wire.Test
	p, err := b.start(ctx, wire.Request{
		Mode:   mode,
		Tests:  []string{s.Test},
		First:  of([]string{s.Test}, []Schedule{s}),
		Search: wire.Search{StepTime: maxStepTime, Steps: o.Steps, OwnProcess: ownProcess},
		Watch:  o.Watch,
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
		r.Reason, _ = c.exitReason(&p)
	default:
		b.replayed(r, got, ready.Planted)
		return r, got.Stateful, nil
	}
	return r, false, nil
}

// replayed fills in the answer of the process.
func (b *Binary) replayed(r *Replayed, a *wire.Test, planted string) {
	r.Diverged, r.Goroutines, r.Trace, r.Accesses = a.Diverged, a.Goroutines, a.Trace, a.Accesses
	for i := range r.Trace {
		b.checker.locate(&r.Trace[i].Place)
	}
	for i := range r.Accesses {
		b.checker.locate(&r.Accesses[i])
	}
	for _, w := range a.Failures {
		if !evidence.Kind(w.Failure.Kind).Known() {
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
	case a.Verdict == explore.Inconclusive:
		r.Reason = a.Reason
	}
}
