package original

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/validate"
)

const (
	// askedRuns is how often the tests of the original are run when they are asked, at most; askedTime is how
	// long each of three ways may take to ask: schedules, runs of the test alone, and of all tests. Guessed: a mutant
	// fails so in one of ten runs or so.
	askedRuns = 60
	askedTime = 5 * time.Second
	// askedShare is the part of the budget, one of so many, in which the original is asked at most: mutants break
	// tests in many ways. Guessed.
	askedShare = 5
)

// Doubts are about tests that fail in a mutant, and have not been seen to fail in the original.
type Doubts struct {
	base  *Baseline
	minor []minor    // causes of the original's own
	mu    sync.Mutex // held while the original is asked
	asked map[question]bool
	spent time.Duration
}

// NewDoubts are doubts about mutants of an original.
func NewDoubts(b *Baseline) *Doubts {
	return &Doubts{base: b, minor: b.minorCauses(), asked: map[question]bool{}}
}

// A question to the original is whether a test fails in a way or, without a test, whether goroutines are left
// blocked.
type question struct {
	way  evidence.Apart
	left string // as noise.Left has them, joined; "": it is about the way
}

// questionOf is what the original is to be asked about a failure of a mutant; ok is false if there is nothing to ask.
func questionOf(f evidence.Failure) (q question, ok bool) {
	if f.Test != "" {
		return question{way: evidence.Apart{Test: topLevel(f.Test), Kind: f.Kind}}, true
	}
	q.left = strings.Join(noise.Left(f), "; ")
	return q, q.left != ""
}

// shown reports whether a failure answers the question.
func (q question) shown(f evidence.Failure) bool {
	asked, ok := questionOf(f)
	return ok && asked == q
}

// isMinor is the minor cause that a failure is of; ok is false if it is of none.
func (d *Doubts) isMinor(f evidence.Failure) (m minor, ok bool) {
	places := d.base.placesOf(f)
	i := slices.IndexFunc(d.minor, func(m minor) bool { return m.explains(f, places) })
	if i < 0 {
		return minor{}, false
	}
	return d.minor[i], true
}

// Mutant is a doubt about a mutant that is scored. The original is asked only where some of its runs pass, or fail by
// a minor cause alone.
func (d *Doubts) Mutant(ctx context.Context, r fitness.Record) (bool, error) {
	of := func(f evidence.Failure) bool { _, own := d.isMinor(f); return !own }
	if r.Result.Passes == 0 && slices.ContainsFunc(r.Result.Samples, of) {
		return false, nil
	}
	return d.Excuse(ctx, r.Result.Samples, r.Observations.Schedules)
}

// Excuse reports whether failures of a mutant are those of a minor cause, or in tests that the original has not failed
// in, and now fails in in the same way, and have nothing in common with what is to be repaired. They are kept apart
// from then on.
func (d *Doubts) Excuse(ctx context.Context, failures []evidence.Failure, schedules []checker.Schedule) (bool, error) {
	for _, f := range failures {
		_, ok := questionOf(f)
		if _, own := d.isMinor(f); !own && (!ok || d.fails(topLevel(f.Test)) || d.concerns(f)) {
			return false, nil
		}
	}
	s := d.base.setup
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range failures {
		if d.isApart(f) {
			continue
		}
		if m, own := d.isMinor(f); own {
			s.Progress.Note("kept apart: %s (it fails more seldom than what is repaired, and has nothing in common with that: --run %s repairs it by itself)", oneLine(f.Message), topLevel(f.Test))
			d.base.leaveApart(append(slices.Clone(d.base.apart), m.ways(f)...))
			if err := d.base.save(); err != nil {
				return false, err
			}
			continue
		}
		q, _ := questionOf(f)
		if d.asked[q] {
			return false, nil
		}
		why := "the test depends on time"
		if f.Kind != evidence.TestFailure || !validate.Timed(s.Program, d.base.Checked, q.way.Test) {
			if d.spent > s.Budget/askedShare {
				return false, nil
			}
			began := time.Now()
			found, err := d.ask(ctx, q, schedules)
			if d.spent += time.Since(began); err != nil {
				return false, err
			}
			d.asked[q] = true
			if found == "" {
				return false, nil
			}
			why = "the original shows it, too, " + found
		}
		s.Progress.Note("kept apart: %s (%s)", oneLine(f.Message), why)
		d.base.leaveOneApart(q.way, noise.Left(f))
		if err := d.base.save(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// isApart reports whether a failure is kept apart already. The caller holds d.mu.
func (d *Doubts) isApart(f evidence.Failure) bool {
	if f.Test != "" {
		_, known := evidence.IsApart(d.base.apart, f)
		return known
	}
	return !slices.ContainsFunc(noise.Left(f), func(name string) bool { return !slices.Contains(d.base.Standing, name) })
}

// leaveOneApart keeps one more way of failing apart or, without a test, goroutines that are left blocked.
func (b *Baseline) leaveOneApart(way evidence.Apart, left []string) {
	if way.Test != "" {
		b.leaveApart(append(slices.Clone(b.apart), way))
		return
	}
	standing := append(slices.Clone(b.Standing), left...)
	b.Standing = standing
	b.Harness.Overlook(standing)
	if b.Explorer != nil {
		b.Explorer.standing.Store(&standing)
	}
}

// fails reports whether a top-level test is among those that the original fails by.
func (d *Doubts) fails(test string) bool {
	return test != "" && slices.ContainsFunc(d.base.Failures, func(f Failure) bool { return topLevel(f.Test) == test })
}

// concerns reports whether a failure has a function or a variable in common with those to be repaired. What only
// a test complains of does not show that.
func (d *Doubts) concerns(f evidence.Failure) bool {
	if complaint(d.base.setup.Program, f) {
		return false
	}
	places := d.base.placesOf(f)
	return slices.ContainsFunc(d.base.Failures, func(known Failure) bool {
		return slices.ContainsFunc(d.base.placesOf(known.Failure), func(key any) bool { return slices.Contains(places, key) })
	})
}

// ask has the checker explore a test of the original, and runs it, until a question is answered by yes. It says how
// that showed; "" if it did not.
func (d *Doubts) ask(ctx context.Context, q question, schedules []checker.Schedule) (found string, err error) {
	ways := []func(context.Context) (string, error){func(ctx context.Context) (string, error) { return d.askRuns(ctx, q, "") }}
	if q.way.Test != "" {
		ways = append([]func(context.Context) (string, error){
			func(ctx context.Context) (string, error) { return d.askChecker(ctx, q, schedules) },
			func(ctx context.Context) (string, error) { return d.askRuns(ctx, q, "^"+q.way.Test+"$") },
		}, ways...)
	}
	for _, ask := range ways {
		limited, cancel := context.WithTimeout(ctx, askedTime)
		found, err = ask(limited)
		if limited.Err() != nil {
			err = nil
		}
		cancel()
		if found != "" || err != nil || ctx.Err() != nil {
			break
		}
	}
	return found, cmp.Or(err, ctx.Err())
}

// askChecker lets the checker explore the test, the schedules that failed the mutant first.
func (d *Doubts) askChecker(ctx context.Context, q question, schedules []checker.Schedule) (string, error) {
	if d.base.Checked == nil {
		return "", nil
	}
	search := fitness.CheckerOptions{Seed: d.base.setup.Seed, Budget: askedTime}.Search()
	search.Tests = []string{q.way.Test}
	for _, s := range schedules {
		if s.Test == q.way.Test {
			search.First = append(search.First, s)
		}
	}
	r, err := d.base.Explorer.Check(ctx, nil, search)
	if err != nil {
		return "", err
	}
	for _, f := range r.Failures {
		if q.shown(f.Failure) {
			return fmt.Sprintf("in schedule %d", f.Nth), nil
		}
	}
	return "", nil
}

// askRuns runs tests with noise: the test alone or, since some fail only beside what others leave running,
// all of them.
func (d *Doubts) askRuns(ctx context.Context, q question, pattern string) (found string, err error) {
	if d.base.setup.NoNoise {
		return "", nil
	}
	bin, err := d.base.Harness.Build(ctx, noise.Noised, nil)
	if err != nil {
		return "", fmt.Errorf("build the tests: %w", err)
	}
	defer bin.Close()
	n := 0
	_, err = d.base.Harness.RunMany(ctx, bin, askedRuns, noise.RunOptions{Seed: d.base.setup.Seed << 24, Run: pattern}, func(o noise.Outcome) bool {
		n++
		if slices.ContainsFunc(o.Failures, q.shown) {
			found = fmt.Sprintf("in run %d", n)
		}
		return found != ""
	})
	return found, err
}
