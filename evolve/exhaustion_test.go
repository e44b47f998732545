package evolve

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"mendel/fitness"
	"mendel/mutate"
)

// A search ends in the generation that has tried the last mutant.
func TestExhaustedSpace(t *testing.T) {
	for n := 1; n <= 4; n++ {
		eval := flat(never)
		r, err := Search(context.Background(), grid(n, operators[:1], 0), eval, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 << n; r.Evaluations != want || eval.count() != want {
			t.Errorf("%d edits: %d evaluations of %d sources, want %d", n, r.Evaluations, eval.count(), want)
		}
		if most := []int{1: 1, 2: 1, 3: 2, 4: 3}[n]; r.Ended != Exhausted || r.Generations > most {
			t.Errorf("%d edits: ended %s in generation %d", n, r.Ended, r.Generations)
		}
	}
}

// Whatever is refused, a search that says that the space is exhausted has tried
// every mutant that single mutations lead to, and no generation has tried nothing.
func TestExhaustedMeansAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := grid(rapid.IntRange(1, 3).Draw(t, "sites"), operators[:rapid.IntRange(1, 2).Draw(t, "operators")], 0)
		if rapid.Bool().Draw(t, "composite") && len(space.edits) > 2 {
			space.edits = append(space.edits, composite("guard", space.edits[0], space.edits[2]))
		}
		refusals := rapid.Float64Range(0, 0.9).Draw(t, "refusals")
		space.refuse = func(edits []mutate.Edit) bool { return chance("refuse", plain(edits)) < refusals }
		eval := &fakeEvaluator{score: func(m *mutate.Mutant) float64 { return float64(int(chance("score", m.Edits) * 900)) }}
		idle, last := 0, 0
		r, err := Search(context.Background(), space, eval, Options{
			Population: rapid.IntRange(1, 8).Draw(t, "population"), Seed: rapid.Uint64().Draw(t, "seed"),
			Generations: 100, ConvergeWindow: -1,
			Observe: func(e Event) {
				if e.Done && e.Evaluations == last {
					idle++
				}
				if e.Done {
					last = e.Evaluations
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if idle > 0 {
			t.Errorf("%d generations tried nothing", idle)
		}
		all := reachable(t, space)
		if r.Ended == NoEdits && len(all) == 1 {
			return
		}
		if r.Ended != Exhausted || eval.count() != len(all) {
			t.Errorf("ended %s with %d of %d mutants in generation %d", r.Ended, eval.count(), len(all), r.Generations)
		}
	})
}

// reachable are the sources that a space leads to from the original, one
// mutation at a time.
func reachable(t *rapid.T, space *fakeSpace) map[string]bool {
	found := map[string]bool{}
	var visit func(edits []mutate.Edit)
	visit = func(edits []mutate.Edit) {
		m, err := space.Mutant(context.Background(), edits)
		if err != nil || found[m.Hash] {
			return
		}
		found[m.Hash] = true
		for i := range m.Edits {
			visit(without(m.Edits, i))
		}
		for _, e := range space.edits {
			visit(with(m.Edits, &choice{Edit: &e}))
			for i, old := range m.Edits {
				if siteOf(&old) == siteOf(&e) {
					visit(with(without(m.Edits, i), &choice{Edit: &e}))
				}
			}
		}
	}
	visit(nil)
	return found
}

// What is found out while a search runs adds edits to it, even at the end of
// the generation that has tried the last of those there were.
func TestGrowingSpace(t *testing.T) {
	space := grid(1, operators[:2], 0)
	late := edit("swaplocks", 99)
	late.Heat = 1
	r, err := Search(context.Background(), space, flat(func(m *mutate.Mutant) bool { return has(m, "swaplocks", 99) }), Options{
		Observe: func(e Event) {
			if e.Done && e.Evaluations == 4 {
				space.extend(late)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Ended != Accepted || r.Generations != 2 {
		t.Errorf("ended %s in generation %d, want accepted in the second", r.Ended, r.Generations)
	}
}

// A member that probes what is left over is then what it was, though what
// it was before had no score yet.
func TestGather(t *testing.T) {
	space := grid(4, operators, 0)
	s := ready(t, space, Options{})
	seen := stateOf(t, s, 700, space.edits[0])
	s.memory.plan(seen.mutant, nil)
	s.ledger.add(seen.mutant, resultOf(700))
	m := &member{search: s, now: &state{mutant: seen.mutant, pending: true}, before: s.original}
	m.gather(s.stream(remainder))
	if !m.fresh || m.added != nil || m.before != s.original {
		t.Fatalf("%+v", m)
	}
	s.ledger.add(m.now.mutant, fitness.Result{Score: 500})
	m.settle(s)
	m.endProbe()
	if m.now.mutant != seen.mutant || m.now.score != 700 || m.now.pending {
		t.Errorf("after the probe it is %+v", m.now)
	}
}

// A space whose edits are not all listed is widened in the generation that leaves few,
// and neither exhausted nor converged before all are listed.
func TestWiden(t *testing.T) {
	for _, o := range []Options{{}, {Random: true, ConvergeWindow: 1, Generations: 60}, {NoOpening: true}, {Population: 2, ConvergeWindow: 1, Generations: 60}} {
		space := grid(1, operators[:2], 0)
		rest := []mutate.Edit{edit("swaplocks", 7), edit("swaplocks", 8), edit("swaplocks", 99)}
		asked := 0
		o.Widen = func() bool {
			asked++
			if len(rest) == 0 {
				return false
			}
			space.extend(rest[0])
			rest = rest[1:]
			return true
		}
		r, err := Search(context.Background(), space, flat(func(m *mutate.Mutant) bool { return has(m, "swaplocks", 99) }), o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Ended != Accepted || asked < 3 {
			t.Errorf("%+v: ended %s in generation %d, widened %d times", o, r.Ended, r.Generations, asked)
		}
	}
	many := grid(30, operators[:2], 0)
	r, err := Search(context.Background(), many, flat(func(m *mutate.Mutant) bool { return has(m, "swaplocks", 1) }), Options{
		Population: 4, Generations: 3, Widen: func() bool { t.Error("widened with many edits left"); return false },
	})
	if err != nil || r.Generations == 0 {
		t.Fatal(r, err)
	}
}
