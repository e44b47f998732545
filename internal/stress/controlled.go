package stress

import (
	"cmp"
	"context"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
)

// A controlled test is one that runs under the checker's control.
type controlled struct {
	name   string
	runs   int
	failed int
	empty  int    // times in a row that no run ended
	reason string // why there are no runs, or no more
}

const (
	// searchShare of the budget is for the search that finds schedules of failures.
	searchShare = 0.2
	// batchRuns is how many schedules of a test are made in a process: few, for what
	// they did is held in memory.
	batchRuns = 60
	// leastSearch is the time that the checker has at least.
	leastSearch = time.Second
	// maxEmpty is how often a test is begun under control without a run that ends: the
	// machine may have had no time for it.
	maxEmpty = 3
)

// explore makes runs under control. The first turn searches: that finds what random
// schedules hardly show, and makes the schedules of failures as simple as possible.
func (s *subject) explore(ctx context.Context, m *mode, until time.Time) error {
	if m.tests == nil {
		return s.search(ctx, m)
	}
	for time.Now().Before(until) && !s.done(m) && !s.over() {
		for _, t := range m.tests {
			if s.over() || t.reason != "" || s.left(t.runs) == 0 {
				continue
			}
			if err := s.sample(ctx, m, t, until); err != nil {
				return err
			}
		}
	}
	return nil
}

// search lists the tests, and looks for failures as check does.
func (s *subject) search(ctx context.Context, m *mode) error {
	report, err := s.control.Check(ctx, checker.Search{
		Strategy: "auto", Budget: max(time.Duration(searchShare*float64(s.o.Budget)), leastSearch), Schedules: s.o.Runs,
		Seed: s.o.Seed, All: !s.o.First, Explain: true,
	})
	if err != nil {
		return err
	}
	m.tests = []*controlled{}
	for _, t := range report.Tests {
		c := &controlled{name: t.Name}
		switch {
		case t.Skipped:
			c.reason = "it skips itself"
		case t.Verdict == explore.Inconclusive:
			c.reason = t.Reason
		}
		m.tests = append(m.tests, c)
	}
	s.keep(report)
	return nil
}

// keep keeps the schedules of the failures that the checker has found.
func (s *subject) keep(report *checker.Report) {
	for _, f := range report.Failures {
		if g := s.group(f.Failure, Controlled); g.schedule == nil {
			g.schedule = &f
		}
	}
}

// sample makes random schedules of a test and counts which failed.
func (s *subject) sample(ctx context.Context, m *mode, t *controlled, until time.Time) error {
	budget := max(time.Until(until), leastSearch/2)
	all, reason, err := s.control.Witness(ctx, checker.Witnessing{
		Test: t.name, Executions: min(batchRuns, s.left(t.runs)), Budget: budget, Seed: m.seed,
	})
	if err != nil {
		return err
	}
	m.seed++
	if len(all) > s.left(t.runs) {
		all = all[:s.left(t.runs)] // the strategies share the runs evenly
	}
	if t.empty++; len(all) > 0 {
		t.empty = 0
	}
	if t.empty == maxEmpty {
		t.reason = cmp.Or(reason, "no schedule ended in time")
	}
	for _, w := range all {
		s.witnessed(m, t, w)
	}
	return nil
}

// witnessed counts a run under control.
func (s *subject) witnessed(m *mode, t *controlled, w checker.Witness) {
	t.runs, m.runs = t.runs+1, m.runs+1
	if w.Failure == nil {
		s.log.controlled(t.name, w, nil)
		return
	}
	s.log.controlled(t.name, w, []evidence.Failure{w.Failure.Failure})
	t.failed, m.failed = t.failed+1, m.failed+1
	f := w.Failure.Failure
	f.Test = t.name
	s.group(f, Controlled).seen[Controlled]++
}

// schedules looks for the schedules of failures that random ones have shown and the
// search has not.
func (s *subject) schedules(ctx context.Context) error {
	if s.control == nil {
		return nil
	}
	var tests []string
	for _, g := range s.groups {
		if g.schedule == nil && g.seen[Controlled] > 0 {
			tests = append(tests, g.tests...)
		}
	}
	if len(tests) == 0 {
		return nil
	}
	s.o.Observer.Phase("looking for schedules of what failed")
	report, err := s.control.Check(ctx, checker.Search{
		Strategy: "random", Budget: max(time.Duration(searchShare*float64(s.o.Budget)), leastSearch), Seed: s.o.Seed,
		All: true, Explain: true, Tests: tests,
	})
	if report != nil {
		s.keep(report)
	}
	return err
}
