package fitness

import (
	"context"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// hung is a report of a mutant of whose sampled executions some did not end.
func hung(sampled, passed int) *checker.Report {
	r := checked(explore.Inconclusive, sampled, passed)
	r.Reason = "the test did not end within the step bound"
	r.Kinds = map[string]int{sched.Timeout: sampled - passed}
	return r
}

// A mutant is given many times the steps of the original, so that one that
// does not end costs little.
func TestStepBound(t *testing.T) {
	for _, c := range []struct {
		name     string
		original *checker.Report
		steps    int // of all executions of the original
		want     int
	}{
		{"no original", nil, 0, 0},
		{"short executions", checked(explore.Failed, 30, 10, on(evidence.Race, 1, "0")), 35 * 50, leastSteps},
		{"long ones", checked(explore.Failed, 30, 10, on(evidence.Race, 1, "0")), 35 * 5_000, 500_000},
		{"that do not end", hung(30, 20), 35 * 5_000, 0},
	} {
		if c.original != nil {
			c.original.Steps = c.steps
		}
		o := CheckerOptions{Original: c.original}
		if got := NewCheckerSource(o).search(mutant(1)).Steps; got != c.want {
			t.Errorf("%s: bound %d, want %d", c.name, got, c.want)
		}
		if got := (CheckerOptions{}).Search().Steps; got != 0 {
			t.Errorf("the original is given a bound of %d", got)
		}
	}
}

// What does not end scores by what does, without noise, if it is known that
// executions can end.
func TestHangs(t *testing.T) {
	ctx := context.Background()
	ends := checked(explore.Failed, 30, 10, on(evidence.Race, 1, "0"))
	short, mixed, foreign := hung(12, 6), hung(30, 15), hung(30, 15)
	mixed.Kinds["uncontrolled"] = 3
	mixed.Kinds[sched.Timeout] = 12
	foreign.TimedOut = true
	for _, c := range []struct {
		name     string
		original *checker.Report
		report   *checker.Report
		decides  bool
		score    float64
	}{
		{"always", ends, hung(30, 0), true, 0},
		{"often", ends, hung(30, 15), true, 500},
		{"nearly never", ends, hung(30, 28), false, 0},
		{"always, as far as the original was seen", original, hung(30, 0), false, 0},
		{"often, which shows that it can end", original, hung(30, 15), true, 500},
		{"in a sample cut short", ends, short, false, 0},
		{"with other trouble", ends, mixed, false, 0},
		{"in a process that had to be ended", ends, foreign, false, 0},
		{"and so does the original", hung(30, 15), hung(30, 15), false, 0},
	} {
		source := NewCheckerSource(CheckerOptions{Checker: &fakeChecker{report: c.report}, Original: c.original})
		record, ok, err := source.Score(ctx, mutant(1))
		if err != nil || ok != c.decides {
			t.Errorf("%s: decided %v, %v", c.name, ok, err)
			continue
		}
		if !ok {
			continue
		}
		failed := c.report.Sampled - c.report.Passed
		if r := record.Result; r.Score != c.score || r.Timeouts != failed || r.Failures[evidence.Timeout] != failed || r.Refused != "" || r.Verdict != explore.Inconclusive {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// That executions can end is learnt from a generation for the next.
func TestEndsIsLearnt(t *testing.T) {
	ctx := context.Background()
	c := &fakeChecker{report: checked(explore.Failed, 30, 3, on(evidence.Race, 1, "0"))}
	source := NewCheckerSource(CheckerOptions{Checker: c, Original: original})
	if _, ok, err := source.Score(ctx, mutant(1)); !ok || err != nil {
		t.Fatal(ok, err)
	}
	c.report = hung(30, 0)
	if _, ok, _ := source.Score(ctx, mutant(2)); ok {
		t.Error("decided in the same generation: what is scored first would matter")
	}
	source.EndGeneration()
	if _, ok, _ := source.Score(ctx, mutant(3)); !ok {
		t.Error("not decided in the next generation")
	}
}

// When nothing is known to end within the bound, each mutant costs the budget to no end: noise judges
// the others, unless it is blind.
func TestCutOff(t *testing.T) {
	for _, alone := range []bool{false, true} {
		c := &fakeChecker{report: hung(30, 0)}
		s := NewCheckerSource(CheckerOptions{Checker: c, Original: original, Alone: alone})
		for i := range 5 {
			if _, _, err := s.Score(t.Context(), made(i)); err != nil {
				t.Fatal(err)
			}
		}
		if off := s.Off() != ""; off == alone {
			t.Errorf("alone %t: off %q after %d searches", alone, s.Off(), len(c.searches))
		}
	}
	ends := &fakeChecker{report: checked(explore.Failed, 30, 10, on(evidence.Race, 1, "0"))}
	s := NewCheckerSource(CheckerOptions{Checker: ends, Original: original})
	for i := range 5 {
		if i == 1 {
			ends.report = hung(30, 0)
		}
		if _, _, err := s.Score(t.Context(), made(i)); err != nil {
			t.Fatal(err)
		}
	}
	if s.Off() != "" {
		t.Errorf("off although executions have ended: %s", s.Off())
	}
}

// A probed program answers a search with few executions, and others, by two reports.
type probed struct {
	report, probe *checker.Report
	steps         []int // of the searches
}

func (p *probed) Check(_ context.Context, s checker.Search) (*checker.Report, error) {
	p.steps = append(p.steps, s.Steps)
	if s.Sample == probes {
		return p.probe, nil
	}
	return p.report, nil
}

func (p *probed) Close() error { return nil }

// Executions that come to the bound are probed with a larger one: if they do not end then either, they hang; if that takes
// too long, nobody knows.
func TestProbe(t *testing.T) {
	ends := checked(explore.Failed, 30, 10, on(evidence.Race, 1, "0"))
	tooLong := checked(explore.Inconclusive, 0, 0)
	tooLong.TimedOut = true
	for _, c := range []struct {
		name     string
		probe    *checker.Report
		decides  bool
		searches int
	}{
		{"never ends", hung(2, 0), true, 2},
		{"is not seen to end", tooLong, false, 2},
		{"ends", checked(explore.Passed, 2, 2), true, 3},
	} {
		p := &probed{report: hung(30, 5), probe: c.probe}
		s := NewCheckerSource(CheckerOptions{Checker: &fakeChecker{report: p.report}, Original: ends})
		m := mutant(1)
		s.prepared.put(m.Hash, Built{Program: p})
		if _, ok, err := s.Score(t.Context(), m); ok != c.decides || err != nil || len(p.steps) != c.searches {
			t.Errorf("%s: decided %v after searches of %v steps, %v", c.name, ok, p.steps, err)
		}
	}
}
