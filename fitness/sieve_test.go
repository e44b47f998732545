package fitness

import (
	"context"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
)

// Where only noise shows the failure, the checker is asked about what passes alone, and
// what passes is not run again.
func TestSieve(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome noise.Outcome
		checks  int
		score   float64
	}{
		{"refuted", fails(evidence.Race), 0, 0},
		{"passed", pass(), 1, FullScore},
	} {
		t.Run(c.name, func(t *testing.T) {
			explorer := &fakeChecker{report: &checker.Report{Verdict: explore.Exhausted, Schedules: 10, Passed: 10}}
			before := NewCheckerSource(CheckerOptions{Checker: explorer, Original: &checker.Report{Verdict: explore.Exhausted, Schedules: 10, Passed: 10}})
			l := scripted(c.outcome)
			sifted := &noiseSource{launcher: l}
			e := NewEvaluator(Options{})
			e.sources = []Source{&sieve{noise: sifted}, before, sifted}
			if err := e.Prepare(context.Background(), written(3)); err != nil {
				t.Fatal(err)
			}
			if l.launched != 2 {
				t.Errorf("%d programs are prepared", l.launched)
			}
			r, err := e.Evaluate(context.Background(), written(3)[0])
			if err != nil || r.Score != c.score {
				t.Errorf("score %v, %v", r.Score, err)
			}
			if len(explorer.searches) != c.checks {
				t.Errorf("the checker was asked %d times", len(explorer.searches))
			}
			if l.launched != 2 {
				t.Errorf("%d programs were launched, two of them prepared", l.launched)
			}
			e.Release()
			if l.closed != l.launched {
				t.Errorf("%d of %d programs are closed", l.closed, l.launched)
			}
		})
	}
}
