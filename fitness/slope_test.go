package fitness

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// A mutant that fails as often as the original is better with fewer failures,
// and with later ones.
func TestSlope(t *testing.T) {
	ended := func(o noise.Outcome, after time.Duration) noise.Outcome {
		o.CPU = after
		return o
	}
	races := func(signatures ...string) Result {
		return Summarise([]noise.Outcome{fails(evidence.Race, signatures...)})
	}
	original := Summarise([]noise.Outcome{fails(evidence.Race, "a", "b", "c"), fails(evidence.Race, "a", "b", "c", "d")})
	panics := Summarise([]noise.Outcome{ended(fails(evidence.Panic), time.Second)})
	for _, c := range []struct {
		name     string
		original Result
		order    []Result // the better ones first; equal ones in one step are not told apart
	}{
		{"races", original, []Result{races("a"), races("a", "e"), races("a", "b", "c"), races("a", "b", "c", "d", "e", "f"), Summarise([]noise.Outcome{fails(evidence.Deadlock)})}},
		{"panics", panics, []Result{
			Summarise([]noise.Outcome{ended(fails(evidence.Panic), 3*time.Second)}),
			Summarise([]noise.Outcome{ended(fails(evidence.Panic), 1200*time.Millisecond)}),
			Summarise([]noise.Outcome{ended(fails(evidence.Panic), 300*time.Millisecond)}),
			Summarise([]noise.Outcome{fails(evidence.Timeout)}),
		}},
		{"schedules", Judge(failedReport(3, 100), 1000, 1), []Result{
			Judge(failedReport(1, 100), 1000, 1), Judge(failedReport(2, 300), 1000, 1), Judge(failedReport(2, 100), 1000, 1), Judge(failedReport(3, 100), 1000, 1),
		}},
		{"not run", original, []Result{races("a", "b", "c", "d", "e", "f", "g", "h"), {Refused: "does not build"}}},
	} {
		for i := 1; i < len(c.order); i++ {
			if better, worse := c.order[i-1].Slope(c.original), c.order[i].Slope(c.original); better <= worse {
				t.Errorf("%s: slope %v of the mutant %d is not above %v of the next", c.name, better, i-1, worse)
			}
		}
		if got := c.original.Slope(c.original); got != 0.5 {
			t.Errorf("%s: the original has slope %v", c.name, got)
		}
	}
}

// failedReport is one of the checker with so many failures, in all of 30
// executions of so many steps each.
func failedReport(failures, steps int) *checker.Report {
	r := &checker.Report{
		Verdict: explore.Failed, Tests: []checker.TestReport{{Name: "TestX", Schedules: 30}},
		Schedules: 30, Sampled: 30, Steps: 30 * steps, Kinds: map[string]int{"race": 30},
	}
	for i := range failures {
		r.Failures = append(r.Failures, checker.Failure{Failure: evidence.Failure{Kind: evidence.Race, Signature: string(rune('a' + i))}})
	}
	return r
}

// A slope is a part of one, also of results that were stored before there were slopes.
func TestSlopeBounds(t *testing.T) {
	result := rapid.Custom(func(t *rapid.T) Result {
		r := Result{
			Score: rapid.Float64Range(0, FullScore).Draw(t, "score"), Runs: rapid.IntRange(0, 15).Draw(t, "runs"),
			Distinct: rapid.Float64Range(0, 50).Draw(t, "distinct"), Reached: rapid.Float64Range(0, 1e6).Draw(t, "reached"),
		}
		if rapid.Bool().Draw(t, "checked") {
			r.Verdict = explore.Failed
		}
		return r
	})
	rapid.Check(t, func(t *rapid.T) {
		s := result.Draw(t, "mutant").Slope(result.Draw(t, "original"))
		if math.IsNaN(s) || s < 0 || s >= 1 {
			t.Errorf("slope %v", s)
		}
	})
	old := Result{Runs: 5, Samples: make([]evidence.Failure, 4)}
	if one := (Result{Runs: 5, Samples: make([]evidence.Failure, 1)}); one.Slope(old) <= old.Slope(old) {
		t.Error("stored samples do not count")
	}
}

// Where the original fails in nearly all runs, the first failing run of a mutant
// is the last, and a full score rests on 6 runs in place of 15.
func TestFirstFailureEndsSample(t *testing.T) {
	race := fails(evidence.Race)
	always, often := Result{Runs: 20, Passes: 2}, Result{Runs: 20, Passes: 3}
	for _, c := range []struct {
		name     string
		original *Result
		outcomes []noise.Outcome
		made     int
		score    float64
	}{
		{"fails at once", &always, []noise.Outcome{race}, 1, 0},
		{"fails later", &always, []noise.Outcome{pass(), pass(), pass(), race}, 4, 750},
		{"passes", &always, []noise.Outcome{pass()}, 6, 1000},
		{"passes, as the original now and then", &often, []noise.Outcome{pass()}, 15, 1000},
		{"hangs", &always, []noise.Outcome{fails(evidence.Timeout)}, 1, 500},
		{"the original passes now and then", &often, []noise.Outcome{race}, 5, 0},
		{"the original is known by few runs", &Result{Runs: 2}, []noise.Outcome{race}, 5, 0},
		{"the original is not known", nil, []noise.Outcome{race}, 5, 0},
	} {
		l := scripted(c.outcomes...)
		s := &noiseSource{launcher: l, hopeless: hopelessAfter(c.original)}
		r, _, err := s.Score(context.Background(), mutant(1))
		if err != nil {
			t.Fatal(err)
		}
		if r.Result.Runs != c.made || r.Result.Score != c.score {
			t.Errorf("%s: score %v by %d runs, want %v by %d", c.name, r.Result.Score, r.Result.Runs, c.score, c.made)
		}
		for i, seed := range l.seeds {
			if seed != l.seeds[0]+uint64(i) {
				t.Errorf("%s: seeds %v do not count up", c.name, l.seeds)
			}
		}
	}
}

// What can be no fix is neither built nor run, and worse than anything that is.
func TestVeto(t *testing.T) {
	l := scripted(pass())
	vetoed := mutant(1)
	e := evaluatorOf(l, Options{Veto: func(_ context.Context, m *mutate.Mutant) (string, error) {
		if m.Hash == vetoed.Hash {
			return "it deletes work", nil
		}
		return "", nil
	}})
	r, err := e.Evaluate(context.Background(), vetoed)
	if err != nil || r.Score != 0 || r.Refused != "it deletes work" || r.Slope(Result{Runs: 15}) != 0 || l.launched > 0 {
		t.Errorf("%+v, %v, %d builds", r, err, l.launched)
	}
	if r, err := e.Evaluate(context.Background(), mutant(2)); err != nil || r.Score != FullScore {
		t.Errorf("what is not vetoed: %+v, %v", r, err)
	}
	if ctx := context.Background(); !e.needsNoBuild(ctx, vetoed) || e.needsNoBuild(ctx, mutant(3)) {
		t.Error("what is vetoed is built in advance, or nothing is")
	}
}

// Rules that cannot be decided are an error, not a score.
func TestVetoFails(t *testing.T) {
	broken := errors.New("no such file")
	e := evaluatorOf(scripted(pass()), Options{Veto: func(context.Context, *mutate.Mutant) (string, error) { return "", broken }})
	if _, err := e.Evaluate(context.Background(), mutant(1)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
