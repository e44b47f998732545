package mendel

import (
	"cmp"
	"fmt"
	"slices"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
)

// A place is where a goroutine of a failure stood: the innermost call of the
// program.
type place struct {
	file     string // module-relative
	function string // as the runtime prints it, without the package
	line     int
}

// places are those of a failure's goroutines.
func (a *asked) places(stacks []evidence.Stack) []place {
	var all []place
	for _, s := range stacks {
		for _, frame := range s.Frames {
			if p := a.program.Place(frame); p.File != nil {
				all = append(all, place{p.File.Rel, evidence.ShortFunc(frame.Func), p.Line})
				break
			}
		}
	}
	return all
}

// means tells whether a failure that was seen is one that was asked for.
func (a *asked) means(seen evidence.Failure) bool {
	if a == nil {
		return true
	}
	places := a.places(seen.Stacks)
	return slices.ContainsFunc(a.targets, func(t target) bool { return a.same(t, seen, places) })
}

// same tells whether a failure that was seen is a target: by its signature, or
// by its kind and place. What explains a target, a race the wrong result of the
// same test, counts for it; without a race detector the result counts for the race.
func (a *asked) same(t target, seen evidence.Failure, places []place) bool {
	inTest := t.Test != "" && topLevel(t.Test) == topLevel(seen.Test)
	switch {
	case t.signature == seen.Signature:
		return true
	case inTest && explains(seen.Kind, t.Kind), inTest && a.noRace && t.Kind == evidence.Race:
		return true
	case hangs(t.Kind) && hangs(seen.Kind):
		return t.shares(places, false) || inTest && (t.Kind == evidence.Timeout || seen.Kind == evidence.Timeout)
	case t.Kind != seen.Kind:
		return false
	case t.Kind == evidence.TestFailure:
		return inTest
	}
	return t.shares(places, t.Kind == evidence.Race) || len(places) > 0 && sameFunctions(t.places, places)
}

// hangs tells of a kind whether some goroutine waits in vain. Which of these
// kinds it is depends on what else the program does.
func hangs(k evidence.Kind) bool {
	return k == evidence.Deadlock || k == evidence.Blocked || k == evidence.Timeout
}

// explains tells whether a failure of one kind may be the cause of another.
func explains(cause, effect evidence.Kind) bool {
	switch effect {
	case evidence.Panic, evidence.TestFailure, evidence.Timeout:
		return cause.Rank() < effect.Rank()
	}
	return false
}

// shares tells whether a target has one of some places: the function, or also
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

// shown tells whether a noised run failed in a way that was asked for.
func (a *asked) shown(o noise.Outcome) bool {
	return !o.Pass && (a == nil || slices.ContainsFunc(o.Failures, a.means))
}

// found tells whether the checker found a failure that was asked for.
func (a *asked) found(report *checker.Report) bool {
	return a == nil || report != nil && slices.ContainsFunc(report.Failures, func(f checker.Failure) bool { return a.means(f.Failure) })
}

// missed tells whether no noised run failed as asked.
func (a *asked) missed(b *baseline) bool { return !slices.ContainsFunc(b.noised, a.shown) }

// keepAsked leaves in a baseline what was asked for, and notes what else was
// seen. The error is an *errNotReproduced if nothing asked for was.
func (r *repairer) keepAsked(b *baseline) error {
	a := r.asked
	if a == nil {
		return nil
	}
	var ours, others []Failure
	for _, f := range b.failures {
		if a.means(f.Failure) {
			ours = append(ours, f)
		} else {
			others = append(others, f)
		}
	}
	b.failures = ours
	meaning := ""
	if len(ours) > 0 {
		meaning = "; a fix has to end it as well, for the tests have to pass"
	}
	var told []string
	for _, f := range others {
		told = append(told, f.Message)
	}
	for _, text := range first(told) {
		r.note("also seen, not asked for%s: %s", meaning, text)
	}
	if len(ours) == 0 {
		return &errNotReproduced{a.tried(r.o, b, len(others))}
	}
	b.kind = slices.MinFunc(ours, func(x, y Failure) int {
		return cmp.Or(cmp.Compare(y.Seen, x.Seen), cmp.Compare(x.Kind.Rank(), y.Kind.Rank()))
	}).Kind
	return nil
}

// tried says what was done to see what the file names, and what else there is to do.
func (a *asked) tried(o Options, b *baseline, others int) string {
	text := fmt.Sprintf("what %s names (%s) did not show in %d noised runs", a.file, a.targets[0].Message, len(b.noised))
	if o.Run != "" {
		text += " of " + o.Run
	}
	if b.checked != nil {
		text += fmt.Sprintf(" and %d schedules of the checker", b.checked.Schedules)
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
