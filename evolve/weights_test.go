package evolve

import (
	"testing"

	"pgregory.net/rapid"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
)

func scoredState(score float64, runs int, failures map[evidence.Kind]int) *state {
	return &state{rating: rating{score: score}, result: fitness.Result{Score: score, Runs: runs, Failures: failures}}
}

func newTestWeights(prior map[evidence.Kind]float64) *weights {
	space := &fakeSpace{operators: map[string]*mutate.Operator{"a": {Name: "a", Prior: prior}}}
	return newWeights(space, Options{WeightWindow: 5})
}

// Whatever happens, no weight is zero or without bound.
func TestWeightsArePositive(t *testing.T) {
	kinds := []evidence.Kind{evidence.Race, evidence.Deadlock, evidence.Timeout, ""}
	rapid.Check(t, func(t *rapid.T) {
		prior := make(map[evidence.Kind]float64)
		for _, k := range kinds {
			prior[k] = rapid.SampledFrom([]float64{-1, 0, 0.5, 1, 10}).Draw(t, "prior")
		}
		w := newTestWeights(prior)
		for g := range rapid.IntRange(0, 12).Draw(t, "generations") {
			for range rapid.IntRange(0, 30).Draw(t, "trials") {
				runs := rapid.SampledFrom([]int{0, 5, 15}).Draw(t, "runs")
				draw := func() *state {
					k := rapid.SampledFrom(kinds).Draw(t, "kind")
					return scoredState(rapid.Float64Range(0, 1000).Draw(t, "score"), runs,
						map[evidence.Kind]int{k: rapid.IntRange(0, runs).Draw(t, "failures")})
				}
				w.record(g, "a", draw(), draw())
			}
			w.roll(g)
			for _, op := range []string{"a", "unknown"} {
				for _, k := range kinds {
					if v := w.of(op, k); !(v >= leastPrior*leastFactor) || v > 10*mostFactor {
						t.Fatalf("weight of %s against %q is %v", op, k, v)
					}
				}
			}
		}
	})
}

func TestWeightsFollowSuccess(t *testing.T) {
	race := map[evidence.Kind]int{evidence.Race: 10}
	for _, c := range []struct {
		name       string
		after      *state
		race, lock int // -1: falls, 0: stays, 1: rises
	}{
		{"higher score", scoredState(800, 15, map[evidence.Kind]int{evidence.Race: 3}), 1, 0},
		{"another failure instead", scoredState(300, 15, map[evidence.Kind]int{evidence.Deadlock: 10}), 1, 0},
		{"no change", scoredState(300, 15, race), -1, 0},
		{"worse", scoredState(0, 5, map[evidence.Kind]int{evidence.Race: 5}), -1, 0},
		{"refused by the compiler", scoredState(0, 0, nil), -1, 0},
	} {
		w := newTestWeights(nil)
		for range 10 {
			w.record(1, "a", scoredState(300, 15, race), c.after)
		}
		w.roll(1)
		if v := w.of("a", evidence.Race); compare(v, 1) != c.race {
			t.Errorf("%s: weight against races is %v", c.name, v)
		}
		if v := w.of("a", evidence.Deadlock); compare(v, 1) != c.lock {
			t.Errorf("%s: weight against deadlocks is %v", c.name, v)
		}
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestWeightsForget(t *testing.T) {
	w := newTestWeights(map[evidence.Kind]float64{evidence.Race: 2})
	w.record(1, "a", scoredState(0, 15, map[evidence.Kind]int{evidence.Race: 15}), scoredState(1000, 15, nil))
	for g := 1; g <= 6; g++ {
		w.roll(g)
		if v, inWindow := w.of("a", evidence.Race), g <= 5; inWindow != (v > 2) {
			t.Errorf("generation %d: weight is %v", g, v)
		}
	}
}

func TestDominant(t *testing.T) {
	for _, c := range []struct {
		failures  map[evidence.Kind]int
		otherwise evidence.Kind
		want      evidence.Kind
	}{
		{nil, evidence.Race, evidence.Race},
		{map[evidence.Kind]int{evidence.Deadlock: 0}, evidence.Race, evidence.Race},
		{map[evidence.Kind]int{evidence.Deadlock: 3, evidence.Race: 2}, evidence.Race, evidence.Deadlock},
		{map[evidence.Kind]int{evidence.Deadlock: 2, evidence.Race: 2}, evidence.Race, evidence.Race},
		{map[evidence.Kind]int{evidence.Panic: 2, evidence.Blocked: 2}, evidence.Race, evidence.Blocked},
	} {
		if got := dominant(fitness.Result{Failures: c.failures}, c.otherwise); got != c.want {
			t.Errorf("%v, otherwise %s: %s, want %s", c.failures, c.otherwise, got, c.want)
		}
	}
}

func TestCredits(t *testing.T) {
	cs := newCredits()
	before := scoredState(400, 15, nil)
	cs.record("good", before, scoredState(600, 15, nil))
	cs.record("neutral", before, before)
	cs.record("bad", before, scoredState(0, 15, nil))
	order := []float64{leastCredit, cs.of("neutral"), cs.of("unknown"), cs.of("good"), mostCredit}
	for i := range order[1:] {
		if order[i] > order[i+1] {
			t.Errorf("credits are out of order: %v", order)
		}
	}
	if cs.of("bad") != leastCredit || cs.of("good") <= cs.of("unknown") {
		t.Errorf("bad %v, good %v", cs.of("bad"), cs.of("good"))
	}
}

// An operator that mends a fault which was found comes before its prior's turn.
func TestWeightsKnowFaults(t *testing.T) {
	space := &fakeSpace{operators: map[string]*mutate.Operator{
		"buffer": {Name: "buffer", Prior: map[evidence.Kind]float64{evidence.Blocked: 2}, Faults: []evidence.Fault{evidence.SenderAlone}},
		"drain":  {Name: "drain", Prior: map[evidence.Kind]float64{evidence.Blocked: 2}, Faults: []evidence.Fault{evidence.MissedSignal}},
	}}
	w := newWeights(space, Options{Faults: []evidence.Fault{evidence.SenderAlone}})
	if b, d := w.of("buffer", evidence.Blocked), w.of("drain", evidence.Blocked); b != ofFault*2 || d != 2 {
		t.Errorf("weights %v and %v", b, d)
	}
	if b := newWeights(space, Options{}).of("buffer", evidence.Blocked); b != 2 {
		t.Errorf("weight %v where no fault is known", b)
	}
}

// A form with a prior of its own is weighed, and learns, as an operator would.
func TestForms(t *testing.T) {
	space := &fakeSpace{operators: map[string]*mutate.Operator{"addlock": {
		Name: "addlock", Prior: map[evidence.Kind]float64{evidence.Race: 4},
		Forms: map[string]map[evidence.Kind]float64{"body": {evidence.Race: 2}},
	}}}
	w := newWeights(space, Options{WeightWindow: 5})
	for form, want := range map[string]float64{"statement": 4, "init": 4, "body": 2} {
		if got := w.of(w.name(&mutate.Edit{Operator: "addlock", Form: form}), evidence.Race); got != want {
			t.Errorf("form %s weighs %v, want %v", form, got, want)
		}
	}
	failing := &state{result: fitness.Result{Runs: 1, Failures: map[evidence.Kind]int{evidence.Race: 1}}}
	w.record(1, "addlock body", failing, &state{rating: rating{score: 1000}, result: fitness.Result{Runs: 1}})
	w.roll(1)
	if body, other := w.of("addlock body", evidence.Race), w.of("addlock", evidence.Race); body <= 2 || other != 4 {
		t.Errorf("after a success of the form: %v, others %v", body, other)
	}
}
