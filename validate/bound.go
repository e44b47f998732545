package validate

import (
	"context"
	"time"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/mutate"
)

const (
	// leastBound is the checker's own bound on preemptions.
	leastBound = 2
	// mostNeeded is up to how many preemptions of a schedule that nobody has simplified
	// are taken for what the failure needs; more are mostly chance. Guessed.
	mostNeeded = 3
	// leastWiden is the time in which a wider bound may be reached. Guessed.
	leastWiden = time.Second
)

// needed is how many preemptions the failures of the original need, as far as the checker
// knows it: at most so many. 0: none, or it is not known.
func (v *Validator) needed() (n int) {
	if v.o.Original == nil {
		return 0
	}
	for _, f := range v.o.Original.Failures {
		if f.Proven || f.Preemptions <= mostNeeded {
			n = max(n, f.Preemptions)
		}
	}
	return n
}

// widen spends what is left of the time on all schedules with as many preemptions as the
// failure needed, if the search has not come so far.
func (v *Validator) widen(ctx context.Context, m *mutate.Mutant, s checker.Search, report *checker.Report) (*checker.Report, error) {
	needed := v.needed()
	left := s.Budget - time.Duration(report.Seconds*float64(time.Second))
	if needed == 0 || left < leastWiden || !below(report, needed) || report.PerProcess {
		return report, nil
	}
	s.Strategy, s.Preemptions, s.Wider, s.Schedules, s.Budget = "dfs", needed, false, 0, left
	s.First, s.Expect = nil, nil
	more, err := v.examine(ctx, m, s)
	if err != nil {
		return report, err
	}
	sum := *report
	switch {
	case more.Verdict == explore.Failed:
		sum = *more
		sum.Delivered = report.Delivered
	case more.Verdict == explore.Exhausted && (report.Verdict != explore.Exhausted || more.Bound < 0 || more.Bound > report.Bound):
		sum.Verdict, sum.Reason, sum.Bound, sum.Fair = more.Verdict, more.Reason, more.Bound, more.Fair
	}
	sum.Schedules = report.Schedules + more.Schedules
	sum.Seconds = report.Seconds + more.Seconds
	return &sum, nil
}

// below reports whether a search passed what it made, and that was not all with a number
// of preemptions.
func below(r *checker.Report, preemptions int) bool {
	switch r.Verdict {
	case explore.Passed:
		return r.Reason == ""
	case explore.Exhausted:
		return r.Bound >= 0 && r.Bound < preemptions
	}
	return false
}
