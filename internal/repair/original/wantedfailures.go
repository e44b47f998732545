package original

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/repair/setup"
)

// A place is where a goroutine of a failure stood: the innermost call of the
// program.
type place struct {
	file     string // module-relative
	function string // as the runtime prints it, without the package
	line     int
}

// places are those of a failure's goroutines.
func (w *WantedFailures) places(stacks []evidence.Stack) []place {
	var all []place
	for _, s := range stacks {
		for _, frame := range s.Frames {
			if p := w.program.Place(frame); p.File != nil {
				all = append(all, place{p.File.Rel, evidence.ShortFunc(frame.Func), p.Line})
				break
			}
		}
	}
	return all
}

// matches reports whether a failure that was seen is one that was asked for.
func (w *WantedFailures) matches(seen evidence.Failure) bool {
	if w == nil {
		return true
	}
	places := w.places(seen.Stacks)
	return slices.ContainsFunc(w.targets, func(t target) bool { return w.same(t, seen, places) })
}

// same reports whether a failure that was seen is a target: by its signature, or
// by its kind and place. What explains a target, a race the wrong result of the
// same test, counts for it; without a race detector the result counts for the race.
func (w *WantedFailures) same(t target, seen evidence.Failure, places []place) bool {
	inTest := t.Test != "" && topLevel(t.Test) == topLevel(seen.Test)
	switch {
	case t.signature == seen.Signature:
		return true
	case inTest && explains(seen.Kind, t.Kind), inTest && w.noRace && t.Kind == evidence.Race:
		return true
	case t.Kind.Hangs() && seen.Kind.Hangs():
		return t.shares(places, false) || inTest && (t.Kind == evidence.Timeout || seen.Kind == evidence.Timeout)
	case t.Kind != seen.Kind:
		return false
	case t.Kind == evidence.TestFailure:
		return inTest
	}
	return t.shares(places, t.Kind == evidence.Race) || len(places) > 0 && sameFunctions(t.places, places)
}

// explains reports whether a failure of one kind may be the cause of another.
func explains(cause, effect evidence.Kind) bool {
	return !effect.Concurrent() && cause.Rank() < effect.Rank()
}

// shares reports whether a target has one of some places: the function, or also
// the line in it.
func (t target) shares(places []place, line bool) bool {
	return slices.ContainsFunc(t.places, func(p place) bool {
		return slices.ContainsFunc(places, func(q place) bool {
			return p.file == q.file && p.function == q.function && (!line || p.line == q.line)
		})
	})
}

func sameFunctions(a, b []place) bool {
	names := func(places []place) []string {
		var all []string
		for _, p := range places {
			all = append(all, p.file+" "+p.function)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	return slices.Equal(names(a), names(b))
}

// shown reports whether a noised run failed in a way that was asked for.
func (w *WantedFailures) shown(o noise.Outcome) bool {
	return !o.Pass && (w == nil || slices.ContainsFunc(o.Failures, w.matches))
}

// found reports whether the checker found a failure that was asked for.
func (w *WantedFailures) found(report *checker.Report) bool {
	return w == nil || report != nil && slices.ContainsFunc(report.Failures, func(f checker.Failure) bool { return w.matches(f.Failure) })
}

// missed reports whether no noised run failed as asked.
func (w *WantedFailures) missed(noised []noise.Outcome) bool {
	return !slices.ContainsFunc(noised, w.shown)
}

// certain reports whether the first certainRuns of a slow test all failed as asked.
func (w *WantedFailures) certain(first []noise.Outcome) bool {
	var spent time.Duration
	for _, o := range first {
		if !w.shown(o) {
			return false
		}
		spent += o.Elapsed
	}
	return len(first) >= certainRuns && spent >= certainRuns*slowRun
}

// rare reports whether fewer runs than half show what is to be repaired.
func (w *WantedFailures) rare(noised []noise.Outcome) bool {
	shown := 0
	for _, o := range noised {
		if w.shown(o) {
			shown++
		}
	}
	return float64(shown) < rare*float64(len(noised))
}

// keepWanted leaves in the baseline what is wanted, and notes what else was
// seen. The error is a *NotReproduced if nothing wanted was.
func (b *Baseline) keepWanted() error {
	w := b.only
	if w == nil {
		return nil
	}
	var ours, others []Failure
	for _, f := range b.Failures {
		if w.matches(f.Failure) {
			ours = append(ours, f)
		} else {
			others = append(others, f)
		}
	}
	b.Failures = ours
	meaning := ""
	if len(ours) > 0 {
		meaning = "; a fix has to end it as well, for the tests have to pass"
	}
	var told []string
	for _, f := range others {
		told = append(told, f.Message)
	}
	for _, text := range setup.First(told) {
		b.setup.Progress.Note("also seen, not asked for%s: %s", meaning, text)
	}
	if len(ours) == 0 {
		return &NotReproduced{w.unseen(b, len(others))}
	}
	b.Kind = slices.MinFunc(ours, func(x, y Failure) int {
		return cmp.Or(cmp.Compare(y.seen, x.seen), cmp.Compare(x.Kind.Rank(), y.Kind.Rank()))
	}).Kind
	return nil
}

// unseen says what was done to see what the file names, and what else there is to do.
func (w *WantedFailures) unseen(b *Baseline, others int) string {
	text := fmt.Sprintf("what %s names (%s) did not show in %d noised runs", w.input.file, w.targets[0].Message, len(b.Noised))
	if run := b.setup.Run; run != "" {
		text += " of " + run
	}
	if b.Checked != nil {
		text += fmt.Sprintf(" and %d schedules of the checker", b.Checked.Schedules)
	}
	switch others {
	case 0:
	case 1:
		text += "; another did: without --from it is repaired"
	default:
		text += fmt.Sprintf("; %d others did: without --from they are repaired", others)
	}
	return text + "; it may with a larger --budget, or with the tests that show it alone (--run)"
}
