package repair

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
	"mendel/internal/check"
	"mendel/internal/dossier"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

const (
	// tracedFailures and tracedFixes are how many are shown step by step: more
	// nobody looks at.
	tracedFailures = 3
	tracedFixes    = 3
	// explainTime bounds what is spent on making the schedules of the failures
	// simple. Guessed: it takes a tenth.
	explainTime = time.Second
	// explainSchedules are enough for those that the checker makes of each test
	// before it comes to the given ones, and for these.
	explainSchedules = 30
	// All traces at the end, which make no fix better, take a part of the work until
	// then, one of so many, and no less or more than this. Guessed: most take a quarter
	// of a second.
	traceShare = 20
	leastTrace = 10 * time.Second
	traceTime  = 20 * time.Second
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

// explain makes the schedules of the most telling failures of the original
// simple and traces them. The simple schedules take the place of those that
// were found in the files that are kept. Nothing depends on it: what cannot be
// had is left out, and trace says so.
func (env *environment) explain(ctx context.Context, o *checkedOriginal, b *checker.Binary, failures []checker.Failure) {
	env.localise(ctx, o, b, failures)
	if !env.wantsTraces() {
		return
	}
	failures = slices.Clone(failures)
	slices.SortStableFunc(failures, func(a, b checker.Failure) int { return a.Kind.Rank() - b.Kind.Rank() })
	failures = failures[:min(len(failures), tracedFailures)]
	if len(failures) == 0 {
		return
	}
	s := checker.Search{Budget: explainTime, Schedules: explainSchedules, All: true, Explain: true, Steps: tracedSteps, Seed: env.seed, Standing: o.explorer.leaves()}
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
				o.needs(simple.Failures[at])
				env.keepTrace(o, b, simple.Failures[at])
				continue
			}
		}
		replayed, err := b.Replay(ctx, f.Schedule)
		if err == nil && replayed.Failure != nil && replayed.Failure.Signature == f.Signature {
			env.keepTrace(o, b, *replayed.Failure)
		}
	}
}

// needs notes how few preemptions a failure of the original needs, now that its schedule
// has been made simple.
func (o *checkedOriginal) needs(simple checker.Failure) {
	for i, f := range o.checked.Failures {
		if f.Signature == simple.Signature && simple.Preemptions <= f.Preemptions {
			o.checked.Failures[i].Preemptions, o.checked.Failures[i].Proven = simple.Preemptions, simple.Proven
		}
	}
}

// wantsTraces reports whether there is anybody to show executions to.
func (env *environment) wantsTraces() bool { return env.out != "" && !env.untilCandidate }

// keepTrace keeps a traced failure of the original, and its schedule as the one
// that is saved for it.
func (env *environment) keepTrace(o *checkedOriginal, b *checker.Binary, f checker.Failure) {
	lanes := env.lanes(f.Schedule.Test, &f, nil)
	trace := report.Lanes(lanes)
	file, err := b.File(f)
	if err != nil || trace == nil {
		return
	}
	if o.traces == nil {
		o.traces = map[string]traced{}
	}
	o.traces[f.Signature] = traced{f.Schedule, trace, report.LockUses(lanes)}
	if at := slices.IndexFunc(o.schedules, func(s *checker.File) bool { return s.Signature == f.Signature }); at >= 0 {
		file.Strategy, file.Seed = o.schedules[at].Strategy, o.schedules[at].Seed
		o.schedules[at] = file
	}
}

// trace completes the traces at the end of a search: those of the original, if
// there are none yet, and of the best fixes, guided along the same schedules,
// which it returns by the hash of the fix. It takes a small part of the time that
// the repair has taken, and what is left of the budget at most; what cannot be had
// is noted.
func (env *environment) trace(ctx context.Context, base *baseline, fixes []*validate.Fix) map[string][]*dossier.Trace {
	if !env.wantsTraces() || base.explorer == nil || !slices.ContainsFunc(base.failures, func(f failure) bool { return f.found != nil }) {
		return nil // only noise has seen the failure: no schedule is known
	}
	env.progress.phase("trace", "following the failing schedules")
	ctx, cancel := context.WithTimeout(ctx, traceLimit(env.progress.meter.seconds()))
	defer cancel()
	if err := env.traceOriginal(ctx, base); err != nil {
		env.progress.note("the failing executions cannot be shown: %v", plainly(err))
		return nil
	}
	traces, err := env.traceFixes(ctx, base, fixes)
	if err != nil {
		env.progress.note("what the fixes do under the schedules that failed cannot be shown: %v", plainly(err))
	}
	return traces
}

// traceLimit is how long tracing may take after so many seconds of work.
func traceLimit(worked float64) time.Duration {
	return min(max(leastTrace, time.Duration(worked*float64(time.Second))/traceShare), traceTime)
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
func (env *environment) traceOriginal(ctx context.Context, base *baseline) error {
	var missing []checker.Failure
	for _, f := range base.failures {
		if f.found != nil {
			missing = append(missing, *f.found)
		}
	}
	if len(missing) == 0 || len(base.traces) > 0 {
		return nil
	}
	b, err := base.explorer.checker.Build(ctx, nil)
	if err != nil {
		return err
	}
	env.explain(ctx, &base.checkedOriginal, b, missing)
	if err := errors.Join(ctx.Err(), b.Close()); err != nil {
		return err
	}
	if len(base.traces) == 0 {
		return errors.New("the schedules do not fail again")
	}
	return nil
}

// traceFixes guides the best fixes along the schedules that failed the original.
func (env *environment) traceFixes(ctx context.Context, base *baseline, fixes []*validate.Fix) (map[string][]*dossier.Trace, error) {
	fixes = fixes[:min(len(fixes), tracedFixes)]
	if len(fixes) == 0 {
		return nil, nil
	}
	var sets []map[string][]byte
	for _, f := range fixes {
		sets = append(sets, f.Mutant.Files)
	}
	built, err := base.explorer.checker.BuildAll(ctx, sets)
	if err != nil {
		return nil, err
	}
	all := map[string][]*dossier.Trace{}
	for i, b := range built {
		if b.Err != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", result.PatchName(i), b.Err))
			continue
		}
		if ctx.Err() == nil {
			m := fixes[i].Mutant
			traces, why := env.guide(ctx, base, b.Binary, m)
			all[m.Hash] = traces
			err = errors.Join(err, why)
		}
		err = errors.Join(err, b.Binary.Close())
	}
	return all, errors.Join(err, ctx.Err())
}

// guide follows the failures' schedules in a fixed program.
func (env *environment) guide(ctx context.Context, base *baseline, b *checker.Binary, m *mutate.Mutant) ([]*dossier.Trace, error) {
	traces := make([]*dossier.Trace, len(base.failures))
	for i, f := range base.failures {
		before, ok := base.traces[f.Signature]
		if !ok || f.found == nil {
			continue
		}
		guided, err := b.GuidedReplay(ctx, before.schedule, checker.GuidedOptions{Steps: tracedSteps, Watch: env.watched(m, f)})
		if err != nil {
			return traces, err
		}
		if guided.Reason != "" {
			env.progress.note("the schedule of %s under a fix cannot be shown: %s", before.schedule.Test, guided.Reason)
			continue
		}
		failure := guided.Failure
		if failure == nil {
			failure = &checker.Failure{Goroutines: guided.Goroutines, Trace: guided.Trace}
		}
		o := env.lanes(before.schedule.Test, failure, m.Files)
		o.Like, o.Diverged, o.Accesses = before.trace.IDs, guided.Diverged, guided.Accesses
		o.Keep, o.Called = env.touched(m, f), before.locks
		traces[i] = report.Lanes(o)
	}
	return traces, nil
}

// touched returns a function that reports whether a mutant has changed a line of
// its, or a failure of the original is about it.
func (env *environment) touched(m *mutate.Mutant, f failure) func(file string, line int) bool {
	known := map[sched.Frame]bool{} // by File and Line
	return func(file string, line int) bool {
		key := sched.Frame{File: file, Line: line}
		is, ok := known[key]
		if !ok {
			original := m.OriginalLine(file, line)
			after, changed := m.Files[file]
			before := env.program.File(file)
			is = changed && before != nil && textAt(after, line) != textAt(before.Source, original) ||
				slices.ContainsFunc(f.found.Places, func(p sched.Place) bool { return p.File == file && p.Line == original })
			known[key] = is
		}
		return is
	}
}

// watched are the accesses of a race of the original, where a mutant makes them.
func (env *environment) watched(m *mutate.Mutant, f failure) []sched.Watched {
	if f.Kind != evidence.Race {
		return nil
	}
	var all []sched.Watched
	for _, p := range f.found.Places {
		w := sched.Watched{File: p.File, Line: p.Line, Write: p.Writes()}
		if after, changed := m.Files[p.File]; changed {
			before := env.program.File(p.File)
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
func (env *environment) lanes(test string, f *checker.Failure, files map[string][]byte) report.LanesOptions {
	return report.LanesOptions{
		Test: test, Kind: f.Kind, Message: f.Message, Goroutines: f.Goroutines, Trace: f.Trace, Places: f.Places,
		Name: env.relative,
		Source: func(name string) []byte {
			if text, ok := files[name]; ok {
				return text
			}
			return check.SourceOf(env.program)(name)
		},
	}
}

// relative is how a source file is called in the dossier: as seen from the
// module's directory, with slashes; a file elsewhere keeps its name.
func (env *environment) relative(name string) string {
	if f := env.program.File(name); f != nil {
		return f.Rel
	}
	if rel, err := filepath.Rel(env.program.Module, name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}
