package evolve

import (
	"context"
	"math/rand"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// ready makes a search that has its original but has made no generation.
func ready(t *testing.T, space *fakeSpace, o Options) *search {
	t.Helper()
	s := newSearch(context.Background(), space, nil, o.withDefaults())
	s.original = stateOf(t, s, 400)
	s.memory.plan(s.original.mutant, nil)
	s.memory.sets[setID(nil)] = s.original.mutant.Hash
	s.begin()
	return s
}

// stateOf makes a settled state.
func stateOf(t *testing.T, s *search, score float64, edits ...mutate.Edit) *state {
	t.Helper()
	m, err := s.space.Mutant(context.Background(), edits)
	if err != nil {
		t.Fatal(err)
	}
	return &state{mutant: m, result: resultOf(score), rating: rating{score: score}}
}

// One mutation adds, exchanges or takes away exactly one edit, and an exchange
// stays at its place.
func TestProposals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		space := grid(6, operators, 2)
		s := ready(t, space, Options{})
		var edits []mutate.Edit
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(space.edits)-1), 0, 5, rapid.ID).Draw(rt, "edits") {
			edits = append(edits, space.edits[i])
		}
		base := stateOf(t, s, 400, edits...)
		old := ids(base.mutant.Edits)
		rng := rand.New(rand.NewSource(int64(rapid.Uint64().Draw(rt, "seed"))))
		seen := make(map[string]int)
		additions, exchanged, removed := 0, 0, 0
		for p := range s.proposals(base, rng) {
			now := ids(p.edits)
			added := slices.DeleteFunc(slices.Clone(now), func(id string) bool { return slices.Contains(old, id) })
			gone := slices.DeleteFunc(slices.Clone(old), func(id string) bool { return slices.Contains(now, id) })
			switch {
			case len(added) == 1 && len(gone) == 0:
				additions++
			case len(added) == 1 && len(gone) == 1:
				exchanged++
				if !slices.ContainsFunc(base.mutant.Edits, func(e mutate.Edit) bool {
					return e.Key().String() == gone[0] && siteOf(&e) == siteOf(p.added.Edit)
				}) {
					rt.Fatalf("%q was exchanged for %q", gone[0], p.added.id)
				}
			case len(added) == 0 && len(gone) == 1:
				removed++
			default:
				rt.Fatalf("%d edits were added and %d taken out", len(added), len(gone))
			}
			if (p.added == nil) != (len(added) == 0) || p.added != nil && p.added.id != added[0] {
				rt.Fatalf("added %v, want %v", p.added, added)
			}
			seen[setID(p.edits)]++
		}
		// The next edit of the opening may come up a second time as a draw.
		if n := len(space.edits) - len(edits); additions < n || additions > n+1 {
			rt.Errorf("%d additions, want all %d", additions, n)
		}
		want := len(edits)
		if want == 1 {
			want = 0 // it would give the original
		}
		if removed != want {
			rt.Errorf("%d removals, want %d", removed, want)
		}
		if len(edits) > 0 && exchanged == 0 {
			rt.Error("no exchange")
		}
	})
}

func ids(edits []mutate.Edit) (ids []string) {
	for i := range edits {
		ids = append(ids, edits[i].Key().String())
	}
	return ids
}

// When nothing can be made of a member it returns to its previous generation
// with fitness 0, and recovers when something can again.
func TestNothingLeft(t *testing.T) {
	space := grid(3, operators[:1], 0)
	refused := true
	space.refuse = func(edits []mutate.Edit) bool { return refused && len(edits) > 1 }
	s := ready(t, space, Options{})
	before := stateOf(t, s, 500, space.edits[0])
	m := &member{search: s, before: before, now: stateOf(t, s, 600, space.edits[1])}
	// Taking the edit away gives the original, which is no progress.
	m.Mutate(s.stream(0))
	if m.err != nil || m.fresh || m.now.mutant != before.mutant || m.now.score != 0 {
		t.Fatalf("%+v with %+v", m, m.now)
	}
	if f, err := m.Evaluate(); f != 1000 || err != nil {
		t.Errorf("fitness for eaopt is %v, %v", f, err)
	}
	refused = false
	s.memory = newMemory()
	s.memory.plan(s.original.mutant, nil)
	m.Mutate(s.stream(0))
	if !m.fresh || len(m.now.mutant.Edits) == 0 {
		t.Errorf("%+v with %+v", m, m.now)
	}
}

func TestRefusalsAreRolledBack(t *testing.T) {
	space := grid(8, operators, 2)
	good := space.edits[17]
	space.refuse = func(edits []mutate.Edit) bool {
		return !slices.ContainsFunc(edits, func(e mutate.Edit) bool { return e.Key().String() == good.Key().String() })
	}
	s := ready(t, space, Options{})
	m := &member{search: s, now: s.original}
	// Bounded: no mutation builds more mutants than it may.
	for i := range 3 {
		space.built = nil
		m.Mutate(s.stream(i))
		if n := len(space.built); n > maxBuilds+probeBuilds {
			t.Fatalf("%d mutants were built for one mutation", n)
		}
		if m.fresh {
			break
		}
	}
	if !m.fresh || len(m.now.mutant.Edits) != 1 || m.now.mutant.Edits[0].Key().String() != good.Key().String() {
		t.Errorf("%+v with %+v", m, m.now)
	}
}

func TestUnseenIsPreferred(t *testing.T) {
	space := grid(5, operators[:1], 0)
	s := ready(t, space, Options{})
	for i, e := range space.edits {
		if i != 4 {
			m, err := s.build([]mutate.Edit{e})
			if err != nil {
				t.Fatal(err)
			}
			s.memory.plan(m, nil)
		}
	}
	m := &member{search: s, now: s.original}
	m.Mutate(s.stream(0))
	if !m.fresh || m.now.mutant.Edits[0].Node != 4 {
		t.Fatalf("%+v", m.now.mutant)
	}
	// Now every single edit has been seen: a seen one is better than none.
	m = &member{search: s, now: s.original}
	m.Mutate(s.stream(0))
	if m.fresh || !m.now.pending || len(m.now.mutant.Edits) != 1 {
		t.Errorf("%+v", m.now)
	}
}

// A drop is undone mostly but not always; an equal score never is.
func TestGoingBack(t *testing.T) {
	space := grid(10, operators, 2)
	s := ready(t, space, Options{})
	back := func(score float64) (n int) {
		for i := range 400 {
			before := stateOf(t, s, 500, space.edits[0], space.edits[1])
			m := &member{search: s, before: before, now: stateOf(t, s, score, space.edits[0], space.edits[1], space.edits[2])}
			m.Mutate(s.stream(i))
			if m.err != nil {
				t.Fatal(m.err)
			}
			if m.before == before {
				n++
			}
		}
		return n
	}
	if n := back(499); n < 260 || n > 340 {
		t.Errorf("went back %d times of 400 after a drop, want about 300", n)
	}
	if n := back(500); n != 0 {
		t.Errorf("went back %d times from a neutral mutation", n)
	}
}

func TestFitting(t *testing.T) {
	space := grid(4, operators[:1], 2)
	for i := range space.edits {
		space.edits[i].Vars = []string{"v", "w"}[i%2 : i%2+1]
	}
	s := ready(t, space, Options{})
	choices := s.catalogue.by[operators[0]]
	alone := s.fitting(nil).weigh(choices)
	fits := s.fitting(space.edits[:1]).weigh(choices)
	for i, ch := range choices {
		factor := fits[i] / alone[i]
		switch {
		case ch.id == space.edits[0].Key().String():
			if fits[i] != 0 {
				t.Error("an edit is offered twice")
			}
		case ch.Lock.Key == "pkg.l0":
			if factor != sameLock {
				t.Errorf("same lock: %v times likelier, want %v", factor, sameLock)
			}
		case ch.Lock.Key == "pkg.l1":
			if factor != 1 {
				t.Errorf("another lock and other variables: factor %v", factor)
			}
		}
	}
	elsewhere := space.edits[0]
	elsewhere.Lock, elsewhere.Vars = nil, []string{"w"}
	for i, f := range s.fitting([]mutate.Edit{elsewhere}).weigh(choices) {
		if want := []float64{1, sameVars}[i%2]; f/alone[i] != want && f != 0 {
			t.Errorf("same variables: factor %v, want %v", f/alone[i], want)
		}
	}
}

// The operator that the member's own failure calls for is drawn most.
func TestOperatorsAreDrawnByWeight(t *testing.T) {
	space := grid(10, operators, 1)
	space.operators["swaplocks"].Prior = map[evidence.Kind]float64{evidence.Deadlock: 8, evidence.Race: 0}
	first := func(kind evidence.Kind, uniform bool) (n int) {
		s := ready(t, space, Options{UniformOperators: uniform})
		s.queue = nil
		base := stateOf(t, s, 400)
		base.result.Failures = map[evidence.Kind]int{kind: 9}
		for i := range 400 {
			for p := range s.additions(base, s.stream(i)) {
				if p.added.Operator == "swaplocks" {
					n++
				}
				break
			}
		}
		return n
	}
	if n := first(evidence.Deadlock, false); n < 250 || n > 330 {
		t.Errorf("drawn %d times of 400 at 8 to 3", n)
	}
	if n := first(evidence.Race, false); n == 0 || n > 20 {
		t.Errorf("drawn %d times of 400 at the least weight, want a few", n)
	}
	if n := first(evidence.Deadlock, true); n < 70 || n > 130 {
		t.Errorf("drawn %d times of 400 without weights, want about 100", n)
	}
}

func TestSampler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOf(rapid.SampledFrom([]float64{0, -1, 1e-300, 0.1, 1, 7, 1e12})).Draw(t, "weights")
		rng := rand.New(rand.NewSource(int64(rapid.Uint64().Draw(t, "seed"))))
		l := newSampler(slices.Clone(weights))
		var drawn []int
		for i, ok := l.draw(rng); ok; i, ok = l.draw(rng) {
			drawn = append(drawn, i)
		}
		slices.Sort(drawn)
		var want []int
		for i, w := range weights {
			if w > 0 {
				want = append(want, i)
			}
		}
		if !slices.Equal(drawn, want) {
			t.Errorf("drew %v of %v, want %v", drawn, weights, want)
		}
	})
}
