package original

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/repair/setup"
)

// A package of real size has a test or two that fail now and then for reasons of their own: a
// time-out of the test that expires early, a goroutine of the test that reports after its end. With
// them no mutant would have a full score. They are kept apart: mutants are not judged by them. A fix
// that ends them, too, is better than one that does not.

// keepApart leaves out of the baseline how tests fail that no run has failed, or in which a race of the test's
// own code shows more seldom than other failures; while something else is to be repaired with which that has
// nothing in common.
func (r *reproduction) keepApart(ctx context.Context) error {
	ways, told, err := r.waysApart(ctx)
	if err != nil || len(ways) == 0 {
		return err
	}
	for _, text := range setup.First(told) {
		r.setup.Progress.Note("kept apart: %s", text)
	}
	r.leaveApart(ways)
	if r.Checked != nil {
		before := r.Checked
		r.Checked = before.KeepApart(ways)
		r.schedules = schedulesOf(r.schedules, before, r.Checked)
	}
	r.summarise()
	return nil
}

// schedulesOf are those of the failures that are kept.
func schedulesOf(schedules []*checker.File, before, kept *checker.Report) (some []*checker.File) {
	for i, f := range before.Failures {
		if slices.ContainsFunc(kept.Failures, func(k checker.Failure) bool { return k.Signature == f.Signature }) {
			some = append(some, schedules[i])
		}
	}
	return some
}

// leaveApart makes later runs and schedules leave out how tests fail for reasons of their own.
func (b *Baseline) leaveApart(ways []evidence.Apart) {
	b.apart = ways
	b.Harness.KeepApart(ways)
	if b.Explorer != nil {
		b.Explorer.apart.Store(&ways)
	}
}

// waysApart are the ways in which tests fail that are to be kept apart, and how it shows.
func (r *reproduction) waysApart(ctx context.Context) (ways []evidence.Apart, told []string, err error) {
	groups := r.groups()
	main := r.mainGroup(groups)
	if !slices.ContainsFunc(groups, main) {
		return nil, nil, nil
	}
	keep := func(i int) {
		f := r.Failures[i]
		way := evidence.Apart{Test: topLevel(f.Test), Kind: f.Kind, Always: !r.shown(i) && f.Kind != evidence.Race && !passes(r.Checked, f.Test)}
		ways = append(ways, way)
		why := "only the checker sees it, and it has nothing in common with what runs show"
		switch {
		case way.Always:
			why = "the checker sees it in each schedule, and no run shows it"
		case r.shown(i):
			why = "it is in the code of a test that fails more seldom than others, and has nothing in common with what they show"
		}
		told = append(told, fmt.Sprintf("%s (%s)", oneLine(f.Message), why))
	}
	artefacts, err := r.artefacts(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range slices.Sorted(maps.Keys(artefacts)) {
		keep(i)
	}
	for _, g := range groups {
		if main(g) || !slices.ContainsFunc(g.failures, func(i int) bool { return !artefacts[i] }) {
			continue
		}
		may := true
		for _, i := range g.failures {
			if may, err = r.mayBeApart(ctx, i); err != nil {
				return nil, nil, err
			}
			if !may {
				break
			}
		}
		if !may {
			continue
		}
		for _, i := range g.failures {
			if !artefacts[i] {
				keep(i)
			}
		}
	}
	return ways, told, nil
}

// artefacts are the failures, by their numbers, that runs contradict.
func (r *reproduction) artefacts(ctx context.Context) (map[int]bool, error) {
	found := map[int]bool{}
	for i := range r.Failures {
		if !r.artefact(i) {
			continue
		}
		contradicted, err := r.contradicted(ctx, i)
		if err != nil {
			return nil, err
		}
		if contradicted {
			found[i] = true
		}
	}
	return found, nil
}

// artefact reports whether the i-th failure is what a test complains of in each schedule of the checker, while no run
// fails in that test: the checker may be why, as where the test measures time. What else was running in a run that failed,
// and so seems to have to do with it, does not matter then.
func (r *reproduction) artefact(i int) bool {
	f := r.Failures[i]
	return !r.shown(i) && f.Test != "" && complaint(r.setup.Program, f.Failure) && !passes(r.Checked, f.Test) &&
		!slices.ContainsFunc(r.Failures, func(o Failure) bool { return (o.seen > 0 || o.when != nil) && topLevel(o.Test) == topLevel(f.Test) })
}

// mainGroup tells the failures that are to be repaired first: those that most runs show or, where none do, that
// some schedules show.
func (r *reproduction) mainGroup(groups []group) func(group) bool {
	most := 0
	for _, g := range groups {
		for _, i := range g.failures {
			if !g.late {
				most = max(most, r.Failures[i].seen)
			}
		}
	}
	forced := slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.when != nil })
	return func(g group) bool {
		return !g.late && slices.ContainsFunc(g.failures, func(i int) bool {
			f := r.Failures[i]
			switch {
			case most > 0:
				return f.seen == most
			case forced:
				return f.when != nil
			}
			return varies(r.Checked, f.Failure)
		})
	}
}

// shown reports whether a run has shown the i-th failure, or forcing has.
func (b *Baseline) shown(i int) bool { return b.Failures[i].seen > 0 || b.Failures[i].when != nil }

// mayBeApart reports whether the i-th failure may be a matter of the test: what it complains of in schedules
// alone, or a race with its own code; or one of the checker: it sees the test fail in each schedule, and runs of it
// pass.
func (r *reproduction) mayBeApart(ctx context.Context, i int) (bool, error) {
	f := r.Failures[i]
	switch {
	case f.Kind == evidence.Race:
		return racesWithTest(r.setup.Program, f.Failure), nil
	case r.shown(i):
		return false, nil
	case complaint(r.setup.Program, f.Failure):
		return true, nil
	case f.Kind == evidence.Blocked || f.Test == "" || passes(r.Checked, f.Test): // runs may not show what is left blocked
		return false, nil
	}
	return r.contradicted(ctx, i)
}

// contradicted reports whether runs of the test of the i-th failure alone pass.
func (r *reproduction) contradicted(ctx context.Context, i int) (bool, error) {
	f := r.Failures[i]
	outcomes, err := r.Harness.RunMany(ctx, r.binary, contradicting, noise.RunOptions{
		Seed: r.setup.Seed << 24, Run: "^" + topLevel(f.Test) + "$", Timeout: r.setup.FirstTimeout(),
	}, nil)
	if err != nil {
		return false, fmt.Errorf("run %s by itself: %w", f.Test, err)
	}
	return !slices.ContainsFunc(outcomes, func(o noise.Outcome) bool { return !o.Pass }), nil
}

// contradicting is how many runs of a test have to pass that the checker sees fail in each schedule. Guessed.
const contradicting = 3

// racesWithTest reports whether one of two accesses is in a test file.
func racesWithTest(program *analysis.Program, f evidence.Failure) bool {
	return slices.ContainsFunc(f.Stacks, func(s evidence.Stack) bool {
		for _, frame := range s.Frames {
			if file := program.File(frame.File); file != nil {
				return file.Test
			}
		}
		return false
	})
}

// complaint reports whether nobody but the test complains of a failure.
func complaint(program *analysis.Program, f evidence.Failure) bool {
	_, inTests := testCode(program, f)
	return f.Kind == evidence.TestFailure || !f.Kind.Concurrent() && inTests
}

// InTests is the place of a failure that lies in test code; ok is false if none does.
func (b *Baseline) InTests() (at string, ok bool) {
	for _, f := range b.Failures {
		if at, ok := testCode(b.setup.Program, f.Failure); ok {
			return at, true
		}
	}
	return "", false
}

// testCode is the place in a test file where all of a failure's goroutines are
// that are in the module, by the innermost of its lines; ok is false if one is
// elsewhere. A test's own complaint is no such failure.
func testCode(program *analysis.Program, f evidence.Failure) (at string, ok bool) {
	if f.Kind == evidence.TestFailure {
		return "", false
	}
	for _, s := range f.Stacks {
		for _, frame := range s.Frames {
			file := program.File(frame.File)
			if file == nil {
				continue
			}
			if !file.Test {
				return "", false
			}
			if at == "" {
				at = fmt.Sprintf("%s:%d", file.Rel, frame.Line)
			}
			break
		}
	}
	return at, at != ""
}

// oneLine is the first line of a text.
func oneLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}
