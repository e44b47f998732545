package original

import (
	"context"
	"errors"
	"slices"
	"time"

	"mendel/checker"
	"mendel/internal/check"
	"mendel/internal/dossier"
	"mendel/internal/repair/setup"
	"mendel/internal/report"
)

const (
	// tracedFailures are how many are shown step by step: more nobody looks at.
	tracedFailures = 3
	// explainTime bounds what is spent on making the schedules of the failures
	// simple. Guessed: it takes a tenth.
	explainTime = time.Second
	// explainSchedules are enough for those that the checker makes of each test
	// before it comes to the given ones, and for these.
	explainSchedules = 30
	// TracedSteps bounds an execution that is traced; a longer one shows nobody
	// anything. Guessed.
	TracedSteps = 50_000
)

// A Traced failure of the original: an execution that shows it.
type Traced struct {
	Schedule checker.Schedule
	Trace    *dossier.Trace
	Locks    []report.LockUse // by which the locks are known again under a fix
}

// explain makes the schedules of the most telling failures of the original
// simple and traces them. The simple schedules take the place of those that
// were found in the files that are kept. Nothing depends on it: what cannot be
// had is left out, and trace says so.
func explain(ctx context.Context, s *setup.Setup, o *checkedOriginal, b *checker.Binary, failures []checker.Failure) {
	localise(ctx, s, o, b, failures)
	if !s.WantsTraces() {
		return
	}
	failures = slices.Clone(failures)
	slices.SortStableFunc(failures, func(a, b checker.Failure) int { return a.Kind.Rank() - b.Kind.Rank() })
	failures = failures[:min(len(failures), tracedFailures)]
	if len(failures) == 0 {
		return
	}
	search := checker.Search{Budget: explainTime, Schedules: explainSchedules, All: true, Explain: true, Steps: TracedSteps, Seed: s.Seed, Standing: o.Explorer.leaves()}
	for _, f := range failures {
		search.First = append(search.First, f.Schedule)
		if !slices.Contains(search.Tests, f.Schedule.Test) {
			search.Tests = append(search.Tests, f.Schedule.Test)
		}
	}
	simple, err := b.Check(ctx, search)
	for _, f := range failures {
		if err == nil {
			at := slices.IndexFunc(simple.Failures, func(g checker.Failure) bool {
				return g.Signature == f.Signature && len(g.Trace) > 0
			})
			if at >= 0 {
				o.needs(simple.Failures[at])
				o.keepTrace(s, b, simple.Failures[at])
				continue
			}
		}
		replayed, err := b.Replay(ctx, f.Schedule)
		if err == nil && replayed.Failure != nil && replayed.Failure.Signature == f.Signature {
			o.keepTrace(s, b, *replayed.Failure)
		}
	}
}

// needs notes how few preemptions a failure of the original needs, now that its schedule
// has been made simple.
func (o *checkedOriginal) needs(simple checker.Failure) {
	for i, f := range o.Checked.Failures {
		if f.Signature == simple.Signature && simple.Preemptions <= f.Preemptions {
			o.Checked.Failures[i].Preemptions, o.Checked.Failures[i].Proven = simple.Preemptions, simple.Proven
		}
	}
}

// keepTrace keeps a traced failure of the original, and its schedule as the one
// that is saved for it.
func (o *checkedOriginal) keepTrace(s *setup.Setup, b *checker.Binary, f checker.Failure) {
	lanes := Lanes(s, f.Schedule.Test, &f, nil)
	trace := report.Lanes(lanes)
	file, err := b.File(f)
	if err != nil || trace == nil {
		return
	}
	if o.Traces == nil {
		o.Traces = map[string]Traced{}
	}
	o.Traces[f.Signature] = Traced{f.Schedule, trace, report.LockUses(lanes)}
	if at := slices.IndexFunc(o.schedules, func(s *checker.File) bool { return s.Signature == f.Signature }); at >= 0 {
		file.Strategy, file.Seed = o.schedules[at].Strategy, o.schedules[at].Seed
		o.schedules[at] = file
	}
}

// TraceFailures traces the failures of the original that have no trace yet.
func (b *Baseline) TraceFailures(ctx context.Context) error {
	var missing []checker.Failure
	for _, f := range b.Failures {
		if f.Found != nil {
			missing = append(missing, *f.Found)
		}
	}
	if len(missing) == 0 || len(b.Traces) > 0 {
		return nil
	}
	binary, err := b.Explorer.Checker.Build(ctx, nil)
	if err != nil {
		return err
	}
	explain(ctx, b.setup, &b.checkedOriginal, binary, missing)
	if err := errors.Join(ctx.Err(), binary.Close()); err != nil {
		return err
	}
	if len(b.Traces) == 0 {
		return errors.New("the schedules do not fail again")
	}
	return nil
}

// Lanes is an execution of the program, some of whose files are replaced, to be
// prepared for drawing. One without a kind of failure has passed.
func Lanes(s *setup.Setup, test string, f *checker.Failure, files map[string][]byte) report.LanesOptions {
	return report.LanesOptions{
		Test: test, Kind: f.Kind, Message: f.Message, Goroutines: f.Goroutines, Trace: f.Trace, Places: f.Places,
		Name: s.Relative,
		Source: func(name string) []byte {
			if text, ok := files[name]; ok {
				return text
			}
			return check.SourceOf(s.Program)(name)
		},
	}
}
