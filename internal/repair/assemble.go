package repair

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"mendel/checker"
	"mendel/internal/repair/original"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/validate"
)

// assemble makes the result of what the stages returned. It is the only place
// where one is made. err is how they ended; the error that comes back is what is
// left of it for the caller.
func (s *session) assemble(ctx, budget context.Context, done *stages, err error) (*result.Result, error) {
	r := &result.Result{Status: result.Failed, Seed: s.wanted.Seed, Target: done.env.Target}
	if p := s.known.patch; p != nil {
		r.Verified = p.name
	}
	live := result.Live{Out: s.wanted.Out, Program: done.env.Program}
	if b := done.base; b != nil {
		r.Failures = b.Results()
		r.Search.Checker = b.Off
	}
	if done.scope != nil {
		r.Narrowed = done.scope.narrowed
		live.Seldom = done.base.FailsSeldom()
	}
	if done.reproduced {
		r.Status, r.Reason = result.NotFixed, done.undecided
	}
	if out := done.outcome; out != nil {
		s.addOutcome(r, out)
		live.Fixes = out.ranked()
	}
	if done.off != "" {
		r.Search.Checker = "switched off: " + done.off
	}
	live.Spent, err = s.conclude(ctx, budget, r, err)
	live.Spent = live.Spent || done.unfinished
	result.Attach(r, live)
	r.Fixes = s.fixes(r, done.outcome)
	work := s.progress.Work()
	r.Phases = work.Phases
	work.Search.Generations, work.Search.Ended = r.Search.Generations, r.Search.Ended
	work.Search.Candidate, work.Search.Checker = r.Search.Candidate, r.Search.Checker
	r.Search = work.Search
	r.Notes = s.progress.Noted()
	r.Seconds = s.clock.Spent().Seconds()
	return r, err
}

// addOutcome adds what the search has come to, but for the fixes.
func (s *session) addOutcome(r *result.Result, out *outcome) {
	r.Search.Generations, r.Search.Ended, r.Search.Candidate = out.generations, out.ended, out.candidate
	r.Reason = out.reason
	if len(out.fixes) > 0 {
		best := out.ranked()[0]
		switch why := validate.Workaround(best.Flags); {
		case len(why) > 0: // whatever the rest of its validation would say
			reasons := append([]string{"the best that was found is a workaround: " + report.FlagWords(why[0])}, best.Incomplete...)
			r.Status, r.Reason = result.Worked, strings.Join(reasons, "; ")
		case len(best.Incomplete) > 0:
			r.Status, r.Reason = result.Incomplete, strings.Join(best.Incomplete, "; ")
		default:
			r.Status, r.Reason = result.Fixed, ""
		}
	}
	for _, why := range out.rejected {
		rejected := result.Rejected{Edits: why.Mutant.Edits, Stage: why.Stage, Reason: why.Reason}
		if b := why.Breach; b != nil {
			rejected.Rule, rejected.File, rejected.Line = b.Rule, b.File, b.Line
		}
		r.Rejected = append(r.Rejected, rejected)
	}
	if r.Status.Reserved() {
		out.partial = nil // the best of them is the fix
	}
	for _, p := range out.partial {
		r.Partial = append(r.Partial, p.Partial)
	}
	for _, c := range out.clusters {
		r.Clusters = append(r.Clusters, c.Cluster)
	}
	r.PartialFixes = out.partialFixes
}

// conclude words how a repair ended with err, and returns whether the budget
// ended it and the error that is left for the caller.
func (s *session) conclude(ctx, budget context.Context, r *result.Result, err error) (spent bool, left error) {
	var nothing *original.NotReproduced
	switch {
	case err == nil:
		return false, nil
	case errors.As(err, &nothing):
		r.Status, r.Reason = result.NotReproduced, nothing.Reason
		return false, nil
	// A part of the work may have had a time of its own that ended just before.
	case budget.Err() != nil && (errors.Is(err, budget.Err()) || errors.Is(err, context.DeadlineExceeded)):
		s.ranOut(ctx, r)
		return ctx.Err() == nil, ctx.Err() // nil when only the budget was spent
	case errors.Is(err, errTimeLeft) && s.wanted.SearchBudget > 0:
		s.ranOutOf(ctx, r, fmt.Sprintf("the %v that the search had are spent", s.wanted.SearchBudget))
		return ctx.Err() == nil, ctx.Err()
	case errors.Is(err, errTimeLeft):
		s.ranOut(ctx, r)
		return ctx.Err() == nil, ctx.Err()
	case r.Status.Offers(): // what was found stands
		s.progress.Note("the search ended early: %v", err)
		return false, nil
	}
	r.Status, r.Reason = result.Failed, err.Error()
	return false, err
}

// ranOut words the result of a repair that was ended from outside.
func (s *session) ranOut(ctx context.Context, r *result.Result) {
	s.ranOutOf(ctx, r, fmt.Sprintf("the budget of %v is spent", s.wanted.Budget))
}

// ranOutOf is ranOut, where what was spent is told in words.
func (s *session) ranOutOf(ctx context.Context, r *result.Result, why string) {
	if ctx.Err() != nil {
		why = "interrupted"
	}
	switch {
	case r.Status == result.Fixed:
		s.progress.Note("%s; these are the best fixes until then", why)
	case (r.Status == result.NotFixed || r.Status.Reserved()) && r.Reason != "":
		r.Reason = why + ": " + r.Reason
	case len(r.Failures) > 0:
		r.Status, r.Reason = result.NotFixed, why+" before the search found anything"
	default:
		r.Status, r.Reason = result.NotReproduced, why+" before the tests had failed"
	}
}

// schedules are those of the failures, by the names of their files.
func (done *stages) schedules() map[string]*checker.File {
	if done.base == nil {
		return nil
	}
	return done.base.Schedules()
}

// fixes are the fixes of an outcome as a result has them, best first. The result
// has its live part.
func (s *session) fixes(r *result.Result, out *outcome) []result.Fix {
	var all []result.Fix
	for i, f := range result.LiveOf(r).Fixes {
		message, found := report.Message(r.Story(i)), out.found(f)
		diff := report.Mail(report.Changes(result.LiveOf(r).Program, f.Mutant), message, time.Time{})
		fix := result.Fix{
			Patch: result.PatchName(i), Diff: string(diff), Edits: f.Mutant.Edits, Score: f.Score.Score,
			ChangedLines: f.Changed.Total(), Flags: slices.Clone(f.Flags), Generation: found.generation,
			ValidatedSeconds: found.at,
			Evidence: result.Evidence{
				FailedBefore: f.Before.Runs - f.Before.Passes, RunsBefore: f.Before.Runs,
				RunsAfter: f.Confirmed.Runs, Forced: f.Confirmed.Forced, Saturating: f.Forced.Runs, Race: f.Race, Vet: f.Vet.Verdict == validate.Passed,
				OtherTests: report.TestWords(f.Tests), Check: checkOf(f), Limits: report.Limits(f),
			},
			Cost: result.Cost{
				Time: f.Cost.Time, Switches: f.Cost.Switches,
				TimeInterval: f.Cost.TimeInterval, SwitchesInterval: f.Cost.SwitchesInterval,
			},
			Quality: f.Quality, Incomplete: f.Incomplete,
		}
		if e := &fix.Evidence; e.FailedBefore > 0 && e.RunsAfter > 0 {
			e.Chance = math.Exp(validate.Unseen(e.FailedBefore, e.RunsBefore, e.RunsAfter))
		}
		if out.causes > 1 {
			fix.Mends = make([]int, len(r.Failures))
			for i := range fix.Mends {
				fix.Mends[i] = i
			}
		}
		all = append(all, fix)
	}
	return all
}

// found is how a fix was found.
func (f *findings) found(fix *validate.Fix) validatedFix {
	for _, known := range f.fixes {
		if known.Mutant.Hash == fix.Mutant.Hash {
			return known
		}
	}
	return validatedFix{}
}

// checkOf is what the checker made of a fix; nil when it was not used.
func checkOf(f *validate.Fix) *result.Checked {
	c := f.Checked
	if c.Verdict == "" {
		return nil
	}
	return &result.Checked{
		Verdict: c.Verdict, Bound: c.Bound, Fair: c.Fair, Reason: c.Reason,
		Needed: c.Needed, Followed: c.Followed, Schedules: c.Schedules, Seconds: c.Seconds,
	}
}
