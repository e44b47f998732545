package evolve

import (
	"context"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/mutate"
)

// checkedResult is a score by the checker: of 30 sampled executions some
// failed in a way, or a later one.
func checkedResult(kind evidence.Kind, failed int, late bool) fitness.Result {
	r := &checker.Report{
		Verdict: explore.Failed, Sampled: 30, Passed: 30 - failed, Schedules: 31,
		Tests: []checker.TestReport{{Name: "TestX", Schedules: 31}},
	}
	switch {
	case failed > 0:
		r.Kinds = map[string]int{string(kind): failed}
	case !late:
		r.Verdict = explore.Passed
		return fitness.Judge(r, 1000, 1)
	}
	r.Failures = []checker.Failure{{Failure: evidence.Failure{Kind: kind}, Nth: 31}}
	return fitness.Judge(r, 1000, 1)
}

// Operators learn from the checker's failures as from those of noise: by kind.
func TestWeightsLearnFromChecker(t *testing.T) {
	state := func(r fitness.Result) *state { return &state{rating: rating{score: r.Score}, result: r} }
	before := state(checkedResult(evidence.Deadlock, 20, false))
	for _, c := range []struct {
		name  string
		after fitness.Result
		want  int // of the weight against deadlocks: -1: falls, 1: rises
	}{
		{"passes", checkedResult("", 0, false), 1},
		{"fails later", checkedResult(evidence.Deadlock, 0, true), 1},
		{"races instead", checkedResult(evidence.Race, 20, false), 1},
		{"deadlocks as often", checkedResult(evidence.Deadlock, 20, false), -1},
		{"deadlocks more often", checkedResult(evidence.Deadlock, 30, false), -1},
	} {
		w := newTestWeights(nil)
		for range 10 {
			w.record(1, "a", before, state(c.after))
		}
		w.roll(1)
		if v := w.of("a", evidence.Deadlock); compare(v, 1) != c.want {
			t.Errorf("%s: weight against deadlocks is %v", c.name, v)
		}
		if v := w.of("a", evidence.Race); v != 1 {
			t.Errorf("%s: weight against races is %v, though there was none before", c.name, v)
		}
	}
	if kind := dominant(before.result, evidence.Race); kind != evidence.Deadlock {
		t.Errorf("the kind to fight next is %s, want the checker's", kind)
	}
	if kind := dominant(checkedResult(evidence.Deadlock, 0, true), evidence.Race); kind != evidence.Deadlock {
		t.Errorf("the kind to fight next is %s, want that of the late failure", kind)
	}
}

// An operator made for deadlocks gets its turn once the checker says that the
// mutants deadlock, whatever failure the search began with.
func TestCheckerGuidesOperators(t *testing.T) {
	tries := func(kind evidence.Kind) (unlocks int) {
		space := grid(40, []string{"lock", "unlock"}, 0)
		space.operators["lock"].Prior = map[evidence.Kind]float64{evidence.Race: 10, evidence.Deadlock: 0.1}
		space.operators["unlock"].Prior = map[evidence.Kind]float64{evidence.Race: 0.1, evidence.Deadlock: 10}
		eval := &resultEvaluator{checkedResult(kind, 20, false)}
		original := checkedResult(evidence.Race, 30, false)
		_, err := Search(t.Context(), space, eval, Options{
			Population: 10, Generations: 4, Seed: 1, Kind: evidence.Race, Original: &original,
			Observe: func(e Event) {
				if e.Mutant != nil && e.Generation > 1 && hasOperator(e.Mutant, "unlock") {
					unlocks++
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return unlocks
	}
	if race, lock := tries(evidence.Race), tries(evidence.Deadlock); lock <= race {
		t.Errorf("mutants with the operator against deadlocks: %d when mutants race, %d when they deadlock", race, lock)
	}
}

type resultEvaluator struct{ r fitness.Result }

func (e *resultEvaluator) Evaluate(context.Context, *mutate.Mutant) (fitness.Result, error) {
	return e.r, nil
}

// hasOperator reports whether a mutant has an operator's edit anywhere.
func hasOperator(m *mutate.Mutant, operator string) bool {
	for _, e := range m.Edits {
		if e.Operator == operator {
			return true
		}
	}
	return false
}
