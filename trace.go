package mendel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/dossier"
	"mendel/internal/report"
	"mendel/mutate"
)

const (
	// tracedFailures and tracedFixes are how many are shown step by step: more
	// nobody looks at.
	tracedFailures = 3
	tracedFixes    = 3
	// explainTime bounds what is spent on making the schedules of the failures
	// simple, traceTime on all traces at the end. Guessed: they take a tenth.
	explainTime = time.Second
	// explainSchedules are enough for those that the checker makes of each test
	// before it comes to the given ones, and for these.
	explainSchedules = 30
	traceTime        = 20 * time.Second
	// tracedSteps bounds an execution that is traced; a longer one shows nobody
	// anything. Guessed.
	tracedSteps = 50_000
)

// A traced failure of the original: an execution that shows it.
type traced struct {
	schedule checker.Schedule
	trace    *dossier.Trace
	locks    []report.LockUse // by which the locks are known again under a fix
}

// A tracer keeps the executions that the dossier shows.
type tracer struct {
	failures map[string]traced           // by signature
	fixes    map[string][]*dossier.Trace // by hash of the mutant and index of Result.Failures
}

// explain makes the schedules of the most telling failures of the original
// simple and traces them. The simple schedules take the place of those that
// were found in the files that are kept. Nothing depends on it: what cannot be
// had is left out, and trace says so.
func (r *repairer) explain(ctx context.Context, b *checker.Binary, failures []checker.Failure) {
	if !r.shows() {
		return
	}
	failures = slices.Clone(failures)
	slices.SortStableFunc(failures, func(a, b checker.Failure) int { return a.Kind.Rank() - b.Kind.Rank() })
	failures = failures[:min(len(failures), tracedFailures)]
	if len(failures) == 0 {
		return
	}
	s := checker.Search{Budget: explainTime, Schedules: explainSchedules, All: true, Explain: true, Steps: tracedSteps, Seed: r.o.Seed}
	for _, f := range failures {
		s.First = append(s.First, f.Schedule)
		if !slices.Contains(s.Tests, f.Schedule.Test) {
			s.Tests = append(s.Tests, f.Schedule.Test)
		}
	}
	simple, err := b.Check(ctx, s)
	for _, f := range failures {
		if err == nil {
			at := slices.IndexFunc(simple.Failures, func(g checker.Failure) bool {
				return g.Signature == f.Signature && len(g.Trace) > 0
			})
			if at >= 0 {
				r.keepTrace(b, simple.Failures[at])
				continue
			}
		}
		replayed, err := b.Replay(ctx, f.Schedule)
		if err == nil && replayed.Failure != nil && replayed.Failure.Signature == f.Signature {
			r.keepTrace(b, *replayed.Failure)
		}
	}
}

// shows tells whether there is anybody to show executions to.
func (r *repairer) shows() bool { return r.o.Out != "" && !r.o.UntilCandidate }

// keepTrace keeps a traced failure of the original, and its schedule as the one
// that is saved for it.
func (r *repairer) keepTrace(b *checker.Binary, f checker.Failure) {
	o := r.lanes(f.Schedule.Test, &f, nil)
	trace := report.Lanes(o)
	file, err := b.File(f)
	if err != nil || trace == nil {
		return
	}
	if r.tracer.failures == nil {
		r.tracer.failures = map[string]traced{}
	}
	r.tracer.failures[f.Signature] = traced{f.Schedule, trace, report.LockUses(o)}
	if at := slices.IndexFunc(r.schedules, func(s *checker.File) bool { return s.Signature == f.Signature }); at >= 0 {
		file.Strategy, file.Seed = r.schedules[at].Strategy, r.schedules[at].Seed
		r.schedules[at] = file
	}
}

// trace completes the traces at the end of a search: those of the original, if
// there are none yet, and of the best fixes, led along the same schedules. It
// takes what is left of the budget at most; what cannot be had is noted.
func (r *repairer) trace(ctx context.Context) {
	if !r.shows() || r.explorer == nil || !slices.ContainsFunc(r.result.Failures, func(f Failure) bool { return f.found != nil }) {
		return // only noise has seen the failure: no schedule is known
	}
	r.phase("trace", "following the failing schedules")
	ctx, cancel := context.WithTimeout(ctx, traceTime)
	defer cancel()
	if err := r.traceOriginal(ctx); err != nil {
		r.note("the failing executions cannot be shown: %v", plainly(err))
		return
	}
	if err := r.traceFixes(ctx); err != nil {
		r.note("what the fixes do under the schedules that failed cannot be shown: %v", plainly(err))
	}
}

// plainly words an error of a trace that ended with its time.
func plainly(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("the time is over")
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	}
	return err
}

// traceOriginal traces the failures of the original that have no trace yet.
func (r *repairer) traceOriginal(ctx context.Context) error {
	var missing []checker.Failure
	for _, f := range r.result.Failures {
		if f.found != nil {
			missing = append(missing, *f.found)
		}
	}
	if len(missing) == 0 || len(r.tracer.failures) > 0 {
		return nil
	}
	b, err := r.explorer.checker.Build(ctx, nil)
	if err != nil {
		return err
	}
	r.explain(ctx, b, missing)
	if err := errors.Join(ctx.Err(), b.Close()); err != nil {
		return err
	}
	if len(r.tracer.failures) == 0 {
		return errors.New("the schedules do not fail again")
	}
	r.nameSchedules()
	return nil
}

// traceFixes leads the best fixes along the schedules that failed the original.
func (r *repairer) traceFixes(ctx context.Context) error {
	fixes := r.result.Fixes[:min(len(r.result.Fixes), tracedFixes)]
	if len(fixes) == 0 {
		return nil
	}
	var sets []map[string][]byte
	for _, f := range fixes {
		sets = append(sets, f.found.Mutant.Files)
	}
	built, err := r.explorer.checker.BuildAll(ctx, sets)
	if err != nil {
		return err
	}
	r.tracer.fixes = map[string][]*dossier.Trace{}
	for i, b := range built {
		if b.Err != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", fixes[i].Patch, b.Err))
			continue
		}
		if ctx.Err() == nil {
			m := fixes[i].found.Mutant
			traces, why := r.lead(ctx, b.Binary, m)
			r.tracer.fixes[m.Hash] = traces
			err = errors.Join(err, why)
		}
		err = errors.Join(err, b.Binary.Close())
	}
	return errors.Join(err, ctx.Err())
}

// lead follows the failures' schedules in a fixed program.
func (r *repairer) lead(ctx context.Context, b *checker.Binary, m *mutate.Mutant) ([]*dossier.Trace, error) {
	traces := make([]*dossier.Trace, len(r.result.Failures))
	for i, f := range r.result.Failures {
		before, ok := r.tracer.failures[f.Signature]
		if !ok || f.found == nil {
			continue
		}
		led, err := b.GuidedReplay(ctx, before.schedule, checker.GuidedOptions{Steps: tracedSteps, Watch: r.watched(m, f)})
		if err != nil {
			return traces, err
		}
		if led.Reason != "" {
			r.note("the schedule of %s under a fix cannot be shown: %s", before.schedule.Test, led.Reason)
			continue
		}
		failure := led.Failure
		if failure == nil {
			failure = &checker.Failure{Goroutines: led.Goroutines, Trace: led.Trace}
		}
		o := r.lanes(before.schedule.Test, failure, m.Files)
		o.Like, o.Diverged, o.Accesses = before.trace.IDs, led.Diverged, led.Accesses
		o.Keep, o.Called = r.touched(m, f), before.locks
		traces[i] = report.Lanes(o)
	}
	return traces, nil
}

// touched tells of lines of a mutant whether it has changed them, or a failure of
// the original is about them.
func (r *repairer) touched(m *mutate.Mutant, f Failure) func(file string, line int) bool {
	known := map[sched.Frame]bool{} // by File and Line
	return func(file string, line int) bool {
		key := sched.Frame{File: file, Line: line}
		is, ok := known[key]
		if !ok {
			original := m.OriginalLine(file, line)
			after, changed := m.Files[file]
			before := r.program.File(file)
			is = changed && before != nil && textAt(after, line) != textAt(before.Source, original) ||
				slices.ContainsFunc(f.found.Places, func(p sched.Place) bool { return p.File == file && p.Line == original })
			known[key] = is
		}
		return is
	}
}

// watched are the accesses of a race of the original, where a mutant makes them.
func (r *repairer) watched(m *mutate.Mutant, f Failure) []sched.Watched {
	if f.Kind != evidence.Race {
		return nil
	}
	var all []sched.Watched
	for _, p := range f.found.Places {
		w := sched.Watched{File: p.File, Line: p.Line, Write: p.What == "write"}
		if after, changed := m.Files[p.File]; changed {
			before := r.program.File(p.File)
			for w.Line = 1; before != nil && w.Line <= bytes.Count(after, []byte("\n")); w.Line++ {
				if m.OriginalLine(p.File, w.Line) == p.Line && textAt(after, w.Line) == textAt(before.Source, p.Line) {
					break
				}
			}
		}
		all = append(all, w)
	}
	return all
}

// textAt is a line of a text without the space around it, "" beyond its end.
func textAt(text []byte, line int) string {
	for l := range bytes.Lines(text) {
		if line--; line == 0 {
			return string(bytes.TrimSpace(l))
		}
	}
	return ""
}

// lanes is an execution of the program, some of whose files are replaced, to be
// prepared for drawing. One without a kind of failure has passed.
func (r *repairer) lanes(test string, f *checker.Failure, files map[string][]byte) report.LanesOptions {
	return report.LanesOptions{
		Test: test, Kind: f.Kind, Message: f.Message, Goroutines: f.Goroutines, Trace: f.Trace, Places: f.Places,
		Name: r.relative,
		Source: func(name string) []byte {
			if text, ok := files[name]; ok {
				return text
			}
			return sourceOf(r.program)(name)
		},
	}
}

// relative is how a source file is called in the dossier: as seen from the
// module's directory, with slashes; a file elsewhere keeps its name.
func (r *repairer) relative(name string) string {
	if f := r.program.File(name); f != nil {
		return f.Rel
	}
	if rel, err := filepath.Rel(r.program.Module, name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}
