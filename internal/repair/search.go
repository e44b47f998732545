package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/dossier"
	"mendel/internal/repair/original"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

// An outcome is what looking for fixes has come to.
type outcome struct {
	findings
	generations int
	candidate   int    // how many mutants, in the search's order, up to the first candidate without a flag; 0: there was none
	ended       string // how the search ended
	reason      string // in words, when there is no fix
	partial     []partialMutant
	traces      map[string][]*dossier.Trace // of the best fixes, by their mutants' hashes

	diagnoses []dossier.Diagnosis // what is wrong, as far as it is known before the search

	causes       int // that the failures seem to have; 0 or 1: one
	clusters     []cluster
	partialFixes []result.Fix // of single clusters
}

// fixed reports whether there is a fix that is validated to the end.
func (o *outcome) fixed() bool {
	return slices.ContainsFunc(o.fixes, func(f validatedFix) bool { return len(f.Incomplete) == 0 })
}

// unflagged reports whether there is a fix, validated to the end, with no flag that a better one might not have.
func (o *outcome) unflagged() bool {
	return slices.ContainsFunc(o.fixes, func(f validatedFix) bool { return len(f.Incomplete) == 0 && len(improvable(f.Flags)) == 0 })
}

// A searchRun is a search for fixes. evolve calls its methods one after the
// other, never two at a time.
type searchRun struct {
	*judges
	out        *outcome
	generation int                           // the one under way
	scored     int                           // mutants, in the order of the search
	rejected   map[string]bool               // candidates that are no fix, by hash
	refuted    map[string][]evidence.Failure // by hash: what a run of such a candidate showed
	idle       int                           // generations ended since there is a fix
	// postponed are candidates with flags that came after a fix, and those that can
	// only be poor fixes (see poor). They are validated at the end of their
	// generation or of the search's time, if no better fix has ended the search by
	// then: a validation costs as much as scoring ten mutants. Before there is a
	// fix, every other candidate is validated at once.
	postponed []candidate
	feedback  []observation // of this generation
	diagnosed *diagnosed    // whose repairs come first
}

// search evolves mutants until one is a fix without a flag, or the search has
// gone on for a generation after a flagged one. It goes on with what was found
// before. The outcome is never nil.
func (j *judges) search(ctx context.Context, before findings) (*outcome, error) {
	until, cancel := j.searchLimit(ctx)
	defer cancel()
	return j.searchUntil(until, ctx, before)
}

// searchUntil is search with less time for the search than for the validation of
// what it has found: a candidate is not given up because others are to be tried next.
func (j *judges) searchUntil(until, ctx context.Context, before findings) (*outcome, error) {
	out := &outcome{findings: before}
	out.history = newHistory(j.Journal.SearchBegan(), j.before.Score)
	j.Progress.Meter.Starts(j.before.Score)
	s := &searchRun{judges: j, out: out, generation: 1, rejected: make(map[string]bool), refuted: make(map[string][]evidence.Failure)}
	s.diagnosed = j.diagnose()
	out.diagnoses = s.diagnosed.told()
	o := evolving(j.Settings)
	o.Kind, o.Original = j.base.Kind, &j.before
	if !j.Settings.Search.NoRanking {
		o.Faults = j.base.Faults()
	}
	if j.source == nil {
		o.Workers *= scorersPerWorker(j.base.Noised)
	}
	// What is found is validated in the time that the search leaves.
	o.Accept = func(_ context.Context, m *mutate.Mutant, r fitness.Result) (bool, error) { return s.accept(ctx, m, r) }
	o.EndGeneration = func(_ context.Context, e evolve.Event) (bool, error) { return s.endGeneration(ctx, e) }
	o.Widen = s.widen
	o.Observe, o.Urgent = s.observe, s.urgent
	o.Rejected = func(m *mutate.Mutant) bool { return s.rejected[m.Hash] }
	o.Refuted = func(m *mutate.Mutant) []evidence.Failure { return s.refuted[m.Hash] }
	o.Waits = func(m *mutate.Mutant) bool {
		return slices.ContainsFunc(s.postponed, func(c candidate) bool { return c.mutant.Hash == m.Hash })
	}
	searching, leave := j.leaveTime(until, ctx)
	defer leave()
	found, err := evolve.Search(searching, j.space, j.evaluator, o)
	if err != nil && searching.Err() != nil && ctx.Err() == nil {
		err = errTimeLeft
		if _, verr := s.validatePostponed(ctx); verr != nil {
			err = verr
		}
	}
	if found != nil {
		out.generations, out.ended = found.Generations, string(found.Ended)
		if found.Ended == evolve.Enough {
			out.ended = string(evolve.Stopped) // result.json does not tell them apart
		}
	}
	showing, cancel := afterwards(ctx)
	defer cancel()
	j.show(showing, out)
	if out.fixed() {
		if found.Ended == evolve.Exhausted {
			j.Progress.Printf("the search ends: %s", spaceExhausted(found))
		}
		return out, err
	}
	if len(out.fixes) == 0 {
		out.partial = j.partial(showing, found, out.rejected)
	}
	out.reason = j.noFix(found) + j.inTests(j.base)
	if out.stopped != "" && len(out.fixes) == 0 {
		out.reason = fmt.Sprintf("%s has a full score, and there was no time to validate it: --resume goes on with that, given a larger --budget", out.stopped)
	}
	return out, err
}

// openings is how many times the population the first generation is: single edits, which
// are built together. Guessed.
const openings = 4

// evolving are the options of the search.
func evolving(s setup.Settings) evolve.Options {
	o := s.Search
	return evolve.Options{
		Population: s.Population, Generations: s.Generations, Opening: openings * cmp.Or(s.Population, evolve.DefaultPopulation), Workers: s.Workers, Seed: s.Seed,
		ReplaceEvery: o.ReplaceEvery, ReplaceFraction: o.ReplaceFraction, ReplaceBest: o.ReplaceBest,
		WeakTurns: o.WeakTurns, WeightWindow: o.WeightWindow, ConvergeWindow: o.ConvergeWindow,
		UniformOperators: o.Uniform, Random: o.Random, NoOpening: o.NoOpening,
		NoComposites: o.NoComposites, NoBatch: o.NoBatch, NoSlope: o.NoSlope,
	}
}

// Runs that sleep most of their time leave the processors to others, unless they
// are over so soon that building takes most of a mutant's time anyway.
const (
	sleepyShare = 0.5                    // of a run's time, on processors, at most
	longRun     = 500 * time.Millisecond // guessed: what building takes
)

// scorersPerWorker is how many mutants noise scores at a time for each worker.
func scorersPerWorker(runs []noise.Outcome) int {
	var elapsed, cpu time.Duration
	for _, o := range runs {
		elapsed += o.Elapsed
		cpu += o.CPU
	}
	if elapsed <= time.Duration(len(runs))*longRun || float64(cpu) > sleepyShare*float64(elapsed) {
		return 1
	}
	return 2
}

// show traces the best fixes of an outcome.
func (j *judges) show(ctx context.Context, out *outcome) {
	fixes := out.ranked()
	if len(fixes) > 0 && j.changesTests(fixes[0]) {
		j.Progress.Note("the fix changes code in test files, but no assertion; see that it does not hide a bug of what is tested")
	}
	out.traces = j.trace(ctx, j.base, fixes)
}

// graceTime is how long what a search has found is looked at when its budget is
// spent, interruptedTime when it was interrupted. What is left of [overrun.Grace] is for
// writing. Guessed: one fix or mutant takes a second.
const (
	graceTime       = 3 * time.Second
	interruptedTime = time.Second
)

// afterwards is the context to look at what a search under ctx has found.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return ctx, func() {}
	}
	grace := interruptedTime
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		grace = graceTime
	}
	return context.WithTimeout(context.WithoutCancel(ctx), grace)
}

// urgentHeat is that of edits in the functions that failures name.
const urgentHeat = 0.5

// urgent is the turn of an edit that mends what was diagnosed or, once there are fixes, may
// be a better one than the flagged ones that were found; 0 for others.
func (s *searchRun) urgent(e mutate.Edit) int {
	switch {
	case s.out.fixed() && s.better(e):
		return 1
	case s.out.fixed() || s.diagnosed == nil:
		return 0
	}
	return s.diagnosed.turn(s.space.Edits(), e)
}

// better reports whether an edit may be a better fix than those that were found: it has no
// flag, and is where the failures are or concerns a variable that those do.
func (s *searchRun) better(e mutate.Edit) bool {
	return len(e.Flags) == 0 && (e.Worth() >= urgentHeat || slices.ContainsFunc(s.out.fixes, func(f validatedFix) bool {
		return slices.ContainsFunc(f.Mutant.Edits, func(o mutate.Edit) bool {
			return slices.ContainsFunc(o.Vars, func(v string) bool { return slices.Contains(e.Vars, v) })
		})
	}))
}

// accept validates a candidate; true ends the search.
func (s *searchRun) accept(ctx context.Context, m *mutate.Mutant, r fitness.Result) (bool, error) {
	if s.Settings.Search.ScoreOnly {
		return false, nil
	}
	next, err := s.prospect(ctx, m)
	if err != nil {
		return false, err
	}
	next.mutant, next.result = m, r
	if s.postpones(next.flags) {
		s.Progress.Step("waits until the generation ends, since it would be flagged %s: %s", flagWords(next.flags), result.Describe(m.Edits))
		s.postponed = append(s.postponed, next)
		return false, nil
	}
	if s.out.candidate == 0 && len(m.Flags) == 0 { // what has flags is not counted
		s.out.candidate = s.scored
	}
	if s.UntilCandidate {
		return true, nil
	}
	return s.try(ctx, next)
}

// prospect is the fix that a candidate may become.
func (s *searchRun) prospect(ctx context.Context, m *mutate.Mutant) (candidate, error) {
	if s.UntilCandidate {
		return candidate{edits: m.Edits, flags: m.Flags}, nil
	}
	p, err := s.validator.Prospect(ctx, m)
	if err != nil {
		return candidate{}, err
	}
	return candidate{edits: p.Edits, flags: p.Flags}, nil
}

// poor reports whether flags are those of a fix that leaves a part of the bug, or of a workaround that
// doing the same elsewhere does not make a fix: it is worth waiting for a better one.
func poor(flags []mutate.Flag) bool {
	return slices.Contains(flags, mutate.IncompleteGuard) || len(validate.Workaround(flags)) > 0 && !leavesPlaces(flags)
}

// postpones reports whether a candidate can wait for better ones of its
// generation: it has flags, and there is a fix already, or none is wanted; or it
// would be a poor fix.
func (s *searchRun) postpones(flags []mutate.Flag) bool {
	return len(flags) > 0 && (s.UntilCandidate || s.out.fixed()) || poor(flags)
}

// try validates a candidate; true ends the search.
func (s *searchRun) try(ctx context.Context, c candidate) (bool, error) {
	n, known := len(s.out.rejected), len(s.out.fixes)
	done, err := s.validate(ctx, &s.out.findings, c, s.generation)
	for _, f := range s.out.fixes[min(known, len(s.out.fixes)):] {
		s.collectObjections(c, f.Fix)
	}
	if len(s.out.rejected) > n {
		s.rejected[c.mutant.Hash] = true
		s.collectRefuted(c, s.out.rejected[n])
	}
	return done, err
}

// observe passes an event on.
func (s *searchRun) observe(e evolve.Event) {
	s.Progress.Observer.Search(e)
	s.out.history.observe(e)
	if at, ok := s.Journal.GenerationAt(e.Generation); ok && e.Done {
		s.out.history.correct(at)
	}
	s.collect(e)
	if e.Mutant != nil && len(e.Mutant.Edits) > 0 && s.diagnosed.goesBeyond(e.Urgent) && len(s.out.fixes) == 0 {
		s.Progress.Printf("%s; now searching among %s edits", s.diagnosed.tried(), grouped(len(s.space.Edits())))
	}
	s.scored = e.Evaluations
	s.Progress.Save()
}

// endGeneration learns from a generation and validates what it has postponed;
// true ends a search that has gone on long enough after a fix.
func (s *searchRun) endGeneration(ctx context.Context, e evolve.Event) (bool, error) {
	s.learn()
	if s.UntilCandidate {
		s.postponed = nil
	}
	done, err := s.validatePostponed(ctx)
	s.generation = e.Generation + 1
	s.evaluator.EndGeneration()
	if s.out.fixed() {
		if s.idle++; s.idle > 1 {
			s.Progress.Printf("the search ends: a generation has brought no better fix than the flagged ones")
			done = true
		}
	}
	return done, err
}

// validatePostponed validates flagged candidates, the least flagged first,
// until one is a fix; true ends the search.
func (s *searchRun) validatePostponed(ctx context.Context) (bool, error) {
	slices.SortStableFunc(s.postponed, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(len(a.flags), len(b.flags)),
			cmp.Compare(len(a.mutant.Edits), len(b.mutant.Edits)),
		)
	})
	fixes := len(s.out.fixes)
	for len(s.postponed) > 0 && len(s.out.fixes) == fixes {
		next := s.postponed[0]
		s.postponed = s.postponed[1:]
		if done, err := s.try(ctx, next); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// covers reports whether a set of edits with some flags only adds edits to a fix
// that is flagged no worse: it would be reduced to that fix again.
func (f *findings) covers(edits []mutate.Edit, flags []mutate.Flag) bool {
	return slices.ContainsFunc(f.fixes, func(f validatedFix) bool {
		if len(f.Incomplete) > 0 || !mutate.HasAll(edits, f.Mutant.Edits) {
			return false
		}
		for _, flag := range f.Flags {
			if !slices.Contains(flags, flag) {
				return false
			}
		}
		return true
	})
}

// flagWords lists flags.
func flagWords(flags []mutate.Flag) string {
	list := make([]string, len(flags))
	for i, f := range flags {
		list[i] = string(f)
	}
	return strings.Join(list, ", ")
}

// noFix says why there is none.
func (j *judges) noFix(found *evolve.Result) string {
	if found == nil {
		return "the search could not begin"
	}
	best := ""
	if len(found.Best) > 0 {
		r := found.Best[0].Result
		what := "runs"
		if r.Verdict != "" {
			what = "sampled schedules"
		}
		which := fmt.Sprintf("the best of %d mutants", found.Evaluations)
		if found.Evaluations == 1 {
			which = "the only mutant"
		}
		best = fmt.Sprintf("; %s passed %d of %d %s: %s", which, r.Passes, r.Runs, what, result.Describe(found.Best[0].Mutant.Edits))
	}
	switch found.Ended {
	case evolve.Accepted: // only where nothing is validated
		return "it was to end with the first candidate" + best
	case evolve.NoEdits:
		return "no edit of the synchronisation is possible in the functions used concurrently"
	case evolve.Converged:
		return fmt.Sprintf("the search has converged after %d generations: every edit was tried alone, and for many generations nothing has improved%s", found.Generations, best)
	case evolve.Exhausted:
		return spaceExhausted(found) + best
	case evolve.OutOfGenerations:
		return fmt.Sprintf("no fix in %d generations, as many as there were to be%s", found.Generations, best)
	}
	return cmp.Or(strings.TrimPrefix(best, "; "), "no mutant was scored") // ranOut says why it ended
}

// spaceExhausted says that there was nothing left to try.
func spaceExhausted(found *evolve.Result) string {
	return fmt.Sprintf("the space is exhausted: every mutant that the edits can make was tried, %d in all", found.Evaluations)
}

// inTests says that a failure lies in code that is only edited when asked for;
// "" if none does, or it was.
func (env *environment) inTests(base *original.Baseline) string {
	if env.IncludeTests {
		return ""
	}
	at, ok := base.InTests()
	if !ok {
		return ""
	}
	return fmt.Sprintf("; the failure is in test code (%s), which is left alone: --include-tests lets it be changed, but no assertion", at)
}

// changesTests reports whether a fix changes a test file.
func (env *environment) changesTests(f *validate.Fix) bool {
	for name := range f.Mutant.Files {
		if file := env.Program.File(name); file != nil && file.Test {
			return true
		}
	}
	return false
}
