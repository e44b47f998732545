package repair

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/dossier"
	"mendel/internal/repair/original"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

const (
	// tracedFixes are how many are shown step by step: more nobody looks at.
	tracedFixes = 3
	// All traces at the end, which make no fix better, take a part of the work until
	// then, one of so many, and no less or more than this. Guessed: most take a quarter
	// of a second.
	traceShare = 20
	leastTrace = 10 * time.Second
	traceTime  = 20 * time.Second
)

// trace completes the traces at the end of a search: those of the original, if
// there are none yet, and of the best fixes, guided along the same schedules,
// which it returns by the hash of the fix. It takes a small part of the time that
// the repair has taken, and what is left of the budget at most; what cannot be had
// is noted.
func (env *environment) trace(ctx context.Context, base *original.Baseline, fixes []*validate.Fix) map[string][]*dossier.Trace {
	if !env.WantsTraces() || base.Explorer == nil || !slices.ContainsFunc(base.Failures, func(f original.Failure) bool { return f.Found != nil }) {
		return nil // only noise has seen the failure: no schedule is known
	}
	env.Progress.Phase("trace", "following the failing schedules")
	ctx, cancel := context.WithTimeout(ctx, traceLimit(env.Progress.Meter.Seconds()))
	defer cancel()
	if err := base.TraceFailures(ctx); err != nil {
		env.Progress.Note("the failing executions cannot be shown: %v", plainly(err))
		return nil
	}
	traces, err := env.traceFixes(ctx, base, fixes)
	if err != nil {
		env.Progress.Note("what the fixes do under the schedules that failed cannot be shown: %v", plainly(err))
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

// traceFixes guides the best fixes along the schedules that failed the original.
func (env *environment) traceFixes(ctx context.Context, base *original.Baseline, fixes []*validate.Fix) (map[string][]*dossier.Trace, error) {
	fixes = fixes[:min(len(fixes), tracedFixes)]
	if len(fixes) == 0 {
		return nil, nil
	}
	var sets []map[string][]byte
	for _, f := range fixes {
		sets = append(sets, f.Mutant.Files)
	}
	built, err := base.Explorer.Checker.BuildAll(ctx, sets)
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
func (env *environment) guide(ctx context.Context, base *original.Baseline, b *checker.Binary, m *mutate.Mutant) ([]*dossier.Trace, error) {
	traces := make([]*dossier.Trace, len(base.Failures))
	for i, f := range base.Failures {
		before, ok := base.Traces[f.Signature]
		if !ok || f.Found == nil {
			continue
		}
		guided, err := b.GuidedReplay(ctx, before.Schedule, checker.GuidedOptions{Steps: original.TracedSteps, Watch: env.watched(m, f)})
		if err != nil {
			return traces, err
		}
		if guided.Reason != "" {
			env.Progress.Note("the schedule of %s under a fix cannot be shown: %s", before.Schedule.Test, guided.Reason)
			continue
		}
		failure := guided.Failure
		if failure == nil {
			failure = &checker.Failure{Goroutines: guided.Goroutines, Trace: guided.Trace}
		}
		o := original.Lanes(env.Setup, before.Schedule.Test, failure, m.Files)
		o.Like, o.Diverged, o.Accesses = before.Trace.IDs, guided.Diverged, guided.Accesses
		o.Keep, o.Called = env.touched(m, f), before.Locks
		traces[i] = report.Lanes(o)
	}
	return traces, nil
}

// touched returns a function that reports whether a mutant has changed a line of
// its, or a failure of the original is about it.
func (env *environment) touched(m *mutate.Mutant, f original.Failure) func(file string, line int) bool {
	known := map[sched.Frame]bool{} // by File and Line
	return func(file string, line int) bool {
		key := sched.Frame{File: file, Line: line}
		is, ok := known[key]
		if !ok {
			was := m.OriginalLine(file, line)
			after, changed := m.Files[file]
			before := env.Program.File(file)
			is = changed && before != nil && textAt(after, line) != textAt(before.Source, was) ||
				slices.ContainsFunc(f.Found.Places, func(p sched.Place) bool { return p.File == file && p.Line == was })
			known[key] = is
		}
		return is
	}
}

// watched are the accesses of a race of the original, where a mutant makes them.
func (env *environment) watched(m *mutate.Mutant, f original.Failure) []sched.Watched {
	if f.Kind != evidence.Race {
		return nil
	}
	var all []sched.Watched
	for _, p := range f.Found.Places {
		w := sched.Watched{File: p.File, Line: p.Line, Write: p.Writes()}
		if after, changed := m.Files[p.File]; changed {
			before := env.Program.File(p.File)
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
