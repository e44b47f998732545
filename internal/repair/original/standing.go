package original

import (
	"context"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
)

// A worker that waits for work, and that nobody stops, is left blocked by each run,
// with the bug and without it. Where something else is to be repaired, such goroutines
// are how the program is.

// setAside leaves the goroutines out of the failures that the original leaves waiting for
// work after the test in any case, if it fails in another way, too, and nobody asked for
// other failures. Mutants do not fail by them either. What the checker has to say of the
// original is found out without them.
func (r *reproduction) setAside(ctx context.Context) {
	if r.only != nil {
		return
	}
	left, byTests := r.leftAnyway(), r.leftByTests()
	if len(left) > 0 {
		r.setup.Progress.Note("not counted as a failure, because each run of the original leaves it: %s", strings.Join(left, "; "))
	}
	var others []string // that each run need not leave
	for _, t := range byTests {
		if others = append(others, t.names...); !slices.ContainsFunc(t.names, func(name string) bool { return slices.Contains(left, name) }) {
			r.setup.Progress.Note("not counted as a failure, because %s leaves it: %s, which %s would end", t.test, strings.Join(t.names, "; "), t.missing)
		}
	}
	left = append(left, others...)
	slices.Sort(left)
	if left = slices.Compact(left); len(left) == 0 {
		return
	}
	r.Standing = left
	r.Harness.Overlook(left)
	if len(byTests) == 0 && (r.Checked == nil || !slices.ContainsFunc(r.Checked.Failures, func(f checker.Failure) bool { return waitsForWork(f.Failure) })) {
		return
	}
	r.Explorer.standing.Store(&left)
	if err := r.look(ctx, r.setup, r.only); err != nil && ctx.Err() == nil {
		r.disable(r.setup.Progress, err.Error())
	}
}

// leftAnyway names the goroutines that wait for work after the test in each noised run that
// does not fail otherwise and, where all of them do, those that the checker saw so, if it saw
// no schedule pass. There are none if the original fails by nothing else.
func (r *reproduction) leftAnyway() []string {
	counts := make(map[string]int) // of runs that leave a goroutine and do not fail otherwise
	others, runs := 0, len(r.Noised)
	var found []string
	for _, o := range r.Noised {
		if slices.ContainsFunc(o.Failures, func(f evidence.Failure) bool { return !waitsForWork(f) }) {
			others++
		}
		for _, name := range leftBy(o.Failures) {
			counts[name]++
			found = append(found, name)
		}
	}
	if others == 0 && !r.checkerFindsRace() {
		return nil
	}
	found = slices.DeleteFunc(found, func(name string) bool { return runs < certainRuns || counts[name]+others < runs })
	if r.Checked != nil && r.Checked.Passed == 0 && others == runs {
		for _, f := range r.Checked.Failures {
			if waitsForWork(f.Failure) {
				found = append(found, noise.Left(f.Failure)...)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// leftByTest is what a test leaves blocked because it does not call what would end it.
type leftByTest struct {
	test, missing string   // the calls
	names         []string // of the goroutines, as noise.Left has them
}

// leftByTests are the goroutines that the checker saw tests leave so, if the original fails by something else, too.
func (r *reproduction) leftByTests() (all []leftByTest) {
	if r.Checked == nil || r.Explorer == nil {
		return nil
	}
	others := slices.ContainsFunc(r.Noised, func(o noise.Outcome) bool {
		return slices.ContainsFunc(o.Failures, func(f evidence.Failure) bool { return f.Kind != evidence.Blocked || !noise.Idle(f) })
	})
	for _, f := range r.Checked.Failures {
		if missing := r.Explorer.Checker.Missing(&f); missing != "" {
			all = append(all, leftByTest{f.Test, missing, noise.Left(f.Failure)})
		} else {
			others = true
		}
	}
	if !others {
		return nil
	}
	return all
}

// checkerFindsRace reports whether the checker has seen a data race.
func (r *reproduction) checkerFindsRace() bool {
	return r.Checked != nil && slices.ContainsFunc(r.Checked.Failures, func(f checker.Failure) bool { return f.Kind == evidence.Race })
}

// leftBy names the goroutines that wait for work after the test.
func leftBy(failures []evidence.Failure) (names []string) {
	for _, f := range failures {
		if waitsForWork(f) {
			names = append(names, noise.Left(f)...)
		}
	}
	return names
}

// waitsForWork reports whether a failure is that goroutines wait for work when the test is
// over.
func waitsForWork(f evidence.Failure) bool {
	return noise.Idle(f) && strings.Contains(f.Message, "for ever")
}

// Failing are the tests that fail in noised runs of the original, by their top-level names; nil: they are all
// that are run, or it is not known in which tests something fails.
func (b *Baseline) Failing() (names []string) {
	begun := 0
	for _, o := range b.Counted() {
		begun = max(begun, o.Tests)
		for _, f := range o.Failures {
			name, _, _ := strings.Cut(f.Test, "/")
			if name == "" {
				return nil
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if begun <= len(names) {
		return nil
	}
	slices.Sort(names)
	return names
}

// Counted are the noised runs without what was set aside.
func (b *Baseline) Counted() []noise.Outcome {
	counted := make([]noise.Outcome, len(b.Noised))
	for i, o := range b.Noised {
		counted[i] = o.Without(b.Standing).KeepApart(b.apart)
	}
	return counted
}
