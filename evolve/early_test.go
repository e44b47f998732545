package evolve

import (
	"context"
	"fmt"
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
)

// named is a space whose edits at a site are in a function of its own, and whose
// first operator takes locks away.
func named() *fakeSpace {
	space := grid(40, operators, 0)
	space.operators[operators[0]].Adds = false
	for i := range space.edits {
		space.edits[i].Func = fmt.Sprintf("(*Bank).F%d", space.edits[i].Node)
	}
	return space
}

// A candidate that only confirmation refutes tells where its second edit has to
// be, cold as that place is: the first generation ends early, and what is told comes
// first in the next one.
func TestEndsEarly(t *testing.T) {
	const first, second = 1, 37
	at := func(m *mutate.Mutant, node int) bool {
		for _, e := range m.Edits {
			if e.Node == node {
				return true
			}
		}
		return false
	}
	search := func(o Options) *Result {
		o.Population, o.Seed, o.Original = 30, 3, &fitness.Result{Score: 400}
		o.Accept = func(_ context.Context, m *mutate.Mutant, _ fitness.Result) (bool, error) { return at(m, second), nil }
		o.Rejected = func(m *mutate.Mutant) bool { return at(m, first) }
		eval := &fakeBuilder{fakeEvaluator: &fakeEvaluator{score: func(m *mutate.Mutant) float64 {
			if at(m, first) {
				return fitness.FullScore
			}
			return 400
		}}}
		r, err := Search(context.Background(), named(), eval, o)
		if err != nil || r.Ended != Accepted {
			t.Fatalf("%+v, %v", r, err)
		}
		return r
	}
	tell := func(*mutate.Mutant) []evidence.Failure {
		return []evidence.Failure{raceIn(fmt.Sprintf("(*Bank).F%d", second))}
	}
	one := search(Options{Workers: 1, Refuted: tell})
	if one.Generations != 2 || one.Evaluations > 22+4 {
		t.Errorf("%d generations, %d mutants", one.Generations, one.Evaluations)
	}
	if has(one.Best[0].Mutant, operators[0], second) {
		t.Error("what takes a lock away came first")
	}
	for _, o := range []Options{{Workers: 4}, {Workers: 4, NoBatch: true}} {
		o.Refuted = tell
		if r := search(o); r.Evaluations != one.Evaluations || r.Best[0].Mutant.Hash != one.Best[0].Mutant.Hash {
			t.Errorf("%d workers, no batches %v: %d mutants, want %d", o.Workers, o.NoBatch, r.Evaluations, one.Evaluations)
		}
	}
	if silent := search(Options{Workers: 4}); silent.Evaluations < 2*one.Evaluations {
		t.Errorf("%d mutants without being told, %d with", silent.Evaluations, one.Evaluations)
	}
}

// What passes and is not refuted may be a fix: the generation goes on for a better one.
func TestEndsEarlyOnlyWithoutHope(t *testing.T) {
	s := &search{newsroom: newNewsroom()}
	for _, n := range []news{nothing, tells, nothing, passes} {
		s.newsroom.add(n)
	}
	for n, want := range []bool{false, false, true, true, false} {
		if got := s.endsEarly(context.Background(), n); got != want {
			t.Errorf("after %d mutants: %v", n, got)
		}
	}
	s = &search{newsroom: newNewsroom()}
	for range waitedFor + 3 {
		what := nothing
		if len(s.newsroom.all) == 1 {
			what = waits
		}
		s.newsroom.add(what)
	}
	for n, want := range map[int]bool{waitedFor: false, waitedFor + 1: false, waitedFor + 2: true} {
		if got := s.endsEarly(context.Background(), n); got != want {
			t.Errorf("after %d mutants, the second of which waits: %v", n, got)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if s.endsEarly(stopped, waitedFor+9) {
		t.Error("ends early although a score is missing")
	}
}

// Checkpoints are where the batches of the first generation end.
func TestCheckpoints(t *testing.T) {
	c := newCheckpoints()
	var got [][2]int
	for i := 1; i <= 160; i++ {
		if before, due := c.passed(); due {
			got = append(got, [2]int{before, i})
		}
	}
	if want := "[[6 22] [22 86] [86 150]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// What a blocked mutant still fails by may be mended by an operator that adds no synchronisation.
func TestLikely(t *testing.T) {
	op := &mutate.Operator{Prior: map[evidence.Kind]float64{evidence.Blocked: 4, evidence.Race: 0.2}}
	for kind, want := range map[evidence.Kind]bool{evidence.Blocked: true, evidence.Race: false, evidence.Panic: false} {
		if got := likely(op, []evidence.Failure{{Kind: kind}}); got != want {
			t.Errorf("%s: %v", kind, got)
		}
	}
}
