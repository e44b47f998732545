package validate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/internal/gotool"
	"mendel/mutate"
	"mendel/validate/rules"
)

const (
	// stepShare of the schedules of a full check are made for a step of reducing a
	// fix, in stepTimeShare of its time: what is left is proved. Guessed.
	stepShare     = 0.1
	stepTimeShare = 0.3
)

// A Checked is the result of bounded model checking of a mutant.
type Checked struct {
	Verdict   explore.Verdict // Covered, Exhausted, Passed or Inconclusive; "": not checked, or the fix would be none
	Bound     int             // with Exhausted: preemptions up to which all schedules passed; -1: any number
	Fair      bool            // with Exhausted: but for those in which a goroutine that yields keeps others waiting
	Reason    string          // of Inconclusive, and of "" if there is one
	Needed    int             // preemptions that the simplest known schedule of a failure has; 0: none, or it is not known
	Followed  int             // schedules that failed before and pass now
	Schedules int             // made, those included
	Seconds   float64
	// Still is what tests fail by in some schedule for reasons of their own, with the fix as
	// without it.
	Still []string `json:",omitempty"`
}

// passed reports whether there is a verdict, and it is a good one.
func (c Checked) passed() bool { return c.Verdict.Good() }

// String says it in words: "the checker passed all 512 schedules of up to 2 preemptions".
func (c Checked) String() string {
	switch c.Verdict {
	case explore.Exhausted:
		bound := ""
		if c.Bound >= 0 {
			bound = fmt.Sprintf(" of up to %d preemptions", c.Bound)
		}
		return fmt.Sprintf("the checker passed all schedules%s, %d", bound, c.Schedules)
	case explore.Covered:
		return fmt.Sprintf("the checker saw every outcome of every schedule, in %d", c.Schedules)
	case explore.Passed:
		return fmt.Sprintf("the checker passed %d schedules", c.Schedules)
	case explore.Inconclusive:
		return "the checker cannot tell: " + c.Reason
	}
	return "not checked"
}

// explore lets the checker look for a schedule that a mutant fails, which is a
// *Rejected error: within the whole budget or, for a step, a part of it. Each
// source is explored once.
func (v *Validator) explore(ctx context.Context, m *mutate.Mutant, whole bool) (Checked, error) {
	key := exploration{m.Hash, whole}
	if rejected := v.failed[m.Hash]; rejected != nil {
		return Checked{}, rejected
	}
	if c, known := v.explored[key]; known {
		return c, nil
	}
	s := checker.Search{Schedules: v.o.CheckSchedules, Budget: v.o.CheckBudget, Seed: v.o.Seed}
	if !whole {
		s.Schedules = max(1, int(stepShare*float64(s.Schedules)))
		s.Budget = time.Duration(stepTimeShare * float64(s.Budget))
	}
	if whole {
		s.Preemptions, s.Wider = max(leastBound, v.needed()), true
	}
	if v.o.First != nil {
		s.First = v.o.First(m)
	}
	if err := v.expect(m, &s); err != nil {
		return Checked{}, err
	}
	report, err := v.examine(ctx, m, s)
	if err == nil && report.Verdict == explore.Failed && v.excused(ctx, report) {
		report, err = v.examine(ctx, m, s)
	}
	if whole && err == nil {
		report, err = v.widen(ctx, m, s, report)
	}
	if cerr := ctx.Err(); cerr != nil {
		return Checked{}, cerr
	}
	c, err := v.verdict(m, s, report, err)
	var rejected *Rejected
	switch {
	case errors.As(err, &rejected):
		v.failed[m.Hash] = rejected
	case err == nil:
		v.explored[key] = c
	}
	return c, err
}

// excused reports whether a candidate fails by nothing but what the original shows, too.
func (v *Validator) excused(ctx context.Context, report *checker.Report) bool {
	var failures []evidence.Failure
	var schedules []checker.Schedule
	for _, f := range report.Failures {
		failures, schedules = append(failures, f.Failure), append(schedules, f.Schedule)
	}
	return v.excuse(ctx, failures, schedules)
}

// excuse asks whether the original shows some failures, too. Where that cannot be found out it
// does not.
func (v *Validator) excuse(ctx context.Context, failures []evidence.Failure, schedules []checker.Schedule) bool {
	if v.o.Excuse == nil || len(failures) == 0 {
		return false
	}
	excused, err := v.o.Excuse(ctx, failures, schedules)
	if err != nil && ctx.Err() == nil {
		v.o.Log("whether the original fails so was not found out: %v", err)
	}
	return excused && err == nil
}

type exploration struct {
	hash  string
	whole bool
}

// verdict turns a report of the checker about a mutant, or its error, into a
// result.
func (v *Validator) verdict(m *mutate.Mutant, s checker.Search, report *checker.Report, err error) (Checked, error) {
	var broken *gotool.BuildError
	switch {
	case errors.As(err, &broken):
		// Noise shows whether the mutant or the instrumentation is to blame.
		report = &checker.Report{Verdict: explore.Inconclusive, Reason: "it does not build: " + err.Error()}
	case err != nil && (v.o.CheckRequired || v.o.NoNoise):
		return Checked{}, fmt.Errorf("checking a candidate: %w", err)
	case err != nil:
		report = &checker.Report{Verdict: explore.Inconclusive, Reason: err.Error()}
	}
	report = fitness.Believe(report, v.o.Original, v.o.Left)
	if report.Verdict == explore.Failed {
		return Checked{}, counterexample(m, report)
	}
	if b := rules.Dropped(v.o.Program, m, s.Expect, report.Delivered); b != nil {
		return Checked{}, breaks(m, StageCheck, b)
	}
	if b := v.spins(m, report); b != nil {
		return Checked{}, breaks(m, StageCheck, b)
	}
	if report.Verdict == explore.Inconclusive && (v.o.CheckRequired || v.o.NoNoise) {
		why := "noise does not show the failure"
		if v.o.NoNoise {
			why = "noised runs are left out"
		}
		return Checked{}, &Rejected{Mutant: m, Stage: StageCheck, Reason: why + ", and the checker cannot tell: " + report.Reason}
	}
	c := Checked{
		Verdict: report.Verdict, Fair: report.Fair, Reason: report.Reason,
		Schedules: report.Schedules, Seconds: report.Seconds,
	}
	if c.Verdict == explore.Exhausted {
		c.Bound = report.Bound
	}
	for _, f := range report.Apart {
		c.Still = append(c.Still, f.Message)
	}
	if c.passed() {
		c.Followed, c.Needed = len(s.First), v.needed()
	}
	return c, nil
}

// counterexample makes a rejection of the first failure of a report.
func counterexample(m *mutate.Mutant, report *checker.Report) *Rejected {
	f := report.Failures[0]
	return &Rejected{
		Mutant: m, Stage: StageCheck, Failure: &f.Failure, Schedule: &f.Schedule,
		Reason: fmt.Sprintf("schedule %d of %s: %s: %s", f.Nth, f.Schedule.Test, f.Kind, f.Message),
	}
}

// holds judges a step of reducing a fix. The checker decides first. If it passes
// the mutant, or noise would show the failure at once, a short series of runs is
// enough in a quick job; such a series begins beside the checker.
func (j *job) holds(ctx context.Context, m *mutate.Mutant) (Confirmation, string, error) {
	passed, why := false, ""
	beside := j.beside(ctx, m)
	defer beside.stop()
	if j.o.Checker != nil {
		c, err := j.explore(ctx, m, false)
		if err != nil {
			return Confirmation{}, "", err
		}
		if passed = c.passed(); passed {
			why = c.String() + ", "
		}
	}
	q := j.full(passed)
	if j.quick && (passed || j.obvious()) {
		q = j.brief()
		if beside != nil {
			<-beside.done
			return beside.confirmed, fmt.Sprintf("%s%d runs passed", why, beside.confirmed.Runs), j.remember(m, beside.confirmed, beside.err)
		}
	}
	c, err := j.confirmOnce(ctx, m, q)
	if j.o.NoNoise {
		return c, strings.TrimSuffix(why, ", "), err
	}
	return c, fmt.Sprintf("%s%d runs passed", why, c.Runs), err
}

// obvious reports whether the original fails so often that a few runs would show
// the failure: then the reduction of a candidate rests on few runs, as if the
// checker had passed it, and what is left is proved.
func (v *Validator) obvious() bool {
	return v.o.AtOnce && v.o.Runs == 0 && v.need() <= runsFloor
}

// believed reports whether the checker has passed the present mutant in the score
// of the candidate or in a step.
func (j *job) believed() bool {
	if c, known := j.explored[exploration{j.mutant.Hash, false}]; known {
		return c.passed()
	}
	return j.mutant.Hash == j.passed
}

// isQuick reports whether the reduction of a candidate may rest on its score: the
// checker passed it, and no edit was taken out of it since.
func (v *Validator) isQuick(scored, admitted *mutate.Mutant, r fitness.Result) bool {
	return v.o.Checker != nil && r.Verdict.Good() && scored.Hash == admitted.Hash
}
