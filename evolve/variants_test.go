package evolve

import (
	"context"
	"slices"
	"testing"

	"mendel/fitness"
	"mendel/mutate"
)

// scoredBy lists the mutants of a search in the order of their scores.
func scoredBy(t *testing.T, space Space, score func(*mutate.Mutant) float64, o Options) (mutants []*mutate.Mutant, r *Result) {
	t.Helper()
	o.Original = &fitness.Result{Score: 400}
	o.Observe = func(e Event) {
		if e.Mutant != nil {
			mutants = append(mutants, e.Mutant)
		}
	}
	r, err := Search(context.Background(), space, &fakeEvaluator{score: score}, o)
	if err != nil {
		t.Fatal(err)
	}
	return mutants, r
}

// A random search draws one to three of all edits, the first generation
// included, however well others did, and does not converge.
func TestRandomSearch(t *testing.T) {
	few := func(m *mutate.Mutant) float64 { return 900 / float64(len(m.Edits)) }
	mutants, r := scoredBy(t, grid(30, operators, 2), few, Options{Random: true, Population: 20, Generations: 20, Seed: 3})
	if r.Ended != OutOfGenerations || len(mutants) < 390 {
		t.Errorf("ended %s with %d mutants", r.Ended, len(mutants))
	}
	sizes, cold := map[int]int{}, 0
	for _, m := range mutants {
		sizes[len(m.Edits)]++
		for _, e := range m.Edits {
			if e.Heat == 0 {
				cold++
			}
		}
	}
	if len(sizes) != 3 || sizes[1] < 80 || sizes[2] < 80 || sizes[3] < 80 {
		t.Errorf("numbers of edits: %v", sizes)
	}
	if share := float64(cold) / float64(sizes[1]+2*sizes[2]+3*sizes[3]); share < 0.25 || share > 0.42 {
		t.Errorf("%.2f of the edits are cold, as a third of all are", share)
	}
	// A space that is soon used up is no endless loop.
	mutants, r = scoredBy(t, grid(1, operators[:2], 0), few, Options{Random: true})
	if r.Ended != OutOfGenerations || len(mutants) != 3 {
		t.Errorf("ended %s with %d mutants of three", r.Ended, len(mutants))
	}
}

// Without its opening the first generation follows the seed.
func TestNoOpening(t *testing.T) {
	hashes := func(seed uint64) (list []string) {
		mutants, _ := scoredBy(t, grid(20, operators, 2), flat(never).score, Options{NoOpening: true, Population: 12, Generations: 1, Seed: seed})
		for _, m := range mutants {
			list = append(list, m.Hash)
		}
		return list
	}
	one, two := hashes(1), hashes(2)
	if len(one) != 12 || slices.Equal(one, two) || !slices.Equal(one, hashes(1)) {
		t.Errorf("seed 1: %d mutants, the same as seed 2: %v", len(one), slices.Equal(one, two))
	}
}

// A composite edit is drawn like others, scored once even when the same source
// comes up as a set of its parts, and taken apart in the mutant.
func TestComposites(t *testing.T) {
	space := grid(8, operators, 1)
	a, b := space.edits[3], space.edits[17]
	alias := composite("guard", space.edits[0]) // of a single edit: the same source
	space.edits = append(space.edits, composite("guard", a, b), alias)
	for i := range space.edits[len(space.edits)-2:] {
		space.edits[len(space.edits)-2+i].Heat = 1
	}
	both := func(m *mutate.Mutant) bool {
		return len(m.Edits) == 2 && has(m, a.Operator, a.Node) && has(m, b.Operator, b.Node)
	}
	mutants, r := scoredBy(t, space, flat(both).score, Options{})
	if r.Ended != Accepted || r.Generations != 1 {
		t.Errorf("ended %s in generation %d", r.Ended, r.Generations)
	}
	seen := map[string]bool{}
	for _, m := range mutants {
		if seen[m.Hash] {
			t.Errorf("%q was scored twice", m.Hash)
		}
		seen[m.Hash] = true
		if slices.ContainsFunc(m.Edits, func(e mutate.Edit) bool { return len(e.Parts) > 0 }) {
			t.Errorf("a mutant has a composite edit: %v", m.Edits)
		}
	}
	without, r := scoredBy(t, space, flat(both).score, Options{NoComposites: true, Generations: 1})
	if r.Ended == Accepted || len(without) == 0 {
		t.Errorf("without composites: ended %s with %d mutants", r.Ended, len(without))
	}
}

// A member that has all parts of a composite edit is not given it; one that
// lacks a part may be.
func TestCompositeFits(t *testing.T) {
	space := grid(4, operators, 1)
	a, b := space.edits[0], space.edits[5]
	whole := composite("guard", a, b)
	s := ready(t, space, Options{})
	choices := []*choice{{Edit: &whole, id: whole.Key().String(), weight: 1}}
	if w := s.fitting([]mutate.Edit{a}).weigh(choices); w[0] <= 0 {
		t.Error("a part is missing, but the whole is excluded")
	}
	if w := s.fitting([]mutate.Edit{b, a}).weigh(choices); w[0] != 0 {
		t.Error("all parts are there, and the whole can be drawn")
	}
}

// On a landscape without any slope every edit is tried alone before the search
// converges.
func TestAllAreTriedAlone(t *testing.T) {
	space := grid(12, operators, 3)
	mutants, r := scoredBy(t, space, flat(never).score, Options{Population: 10, Generations: 60})
	if r.Ended != Converged {
		t.Errorf("ended %s in generation %d", r.Ended, r.Generations)
	}
	alone := map[string]bool{}
	for _, m := range mutants {
		if len(m.Edits) == 1 {
			alone[m.Hash] = true
		}
	}
	if len(alone) != len(space.edits) {
		t.Errorf("%d of %d edits were tried alone", len(alone), len(space.edits))
	}
}

// What is urgent is tried alone at the start of the next generation, in its order,
// whatever its heat and however good the members are.
func TestUrgent(t *testing.T) {
	urgent := false
	space := grid(30, operators, 1)
	good := func(m *mutate.Mutant) float64 { return 900 }
	o := Options{
		Population: 10, Generations: 2,
		Urgent: func(e mutate.Edit) int {
			if urgent && e.Node >= 26 && e.Operator == operators[0] {
				return 100 - e.Node
			}
			return 0
		},
	}
	o.Original = &fitness.Result{Score: 400}
	var second []*mutate.Mutant
	o.Observe = func(e Event) {
		urgent = urgent || e.Done
		if e.Generation == 2 && e.Mutant != nil {
			second = append(second, e.Mutant)
		}
	}
	if _, err := Search(context.Background(), space, &fakeEvaluator{score: good}, o); err != nil {
		t.Fatal(err)
	}
	for i, m := range second {
		if is := len(m.Edits) == 1 && m.Edits[0].Node >= 26 && m.Edits[0].Operator == operators[0]; is != (i < 4) || is && m.Edits[0].Node != 29-i {
			t.Errorf("mutant %d: %v", i+1, m.Edits)
		}
	}
}

// After a probe that is no better a member is what it was; else it stays.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		score float64
		stays bool
	}{{200, false}, {400, false}, {600, true}} {
		space := grid(6, operators, 1)
		s := ready(t, space, Options{})
		s.original.score, s.stuck = 400, true
		saved := stateOf(t, s, 400, space.edits[0], space.edits[9])
		m := &member{search: s, now: saved, before: s.original}
		m.Mutate(s.stream(0))
		if !m.fresh || len(m.now.mutant.Edits) != 1 || m.before != s.original {
			t.Fatalf("no probe: %+v", m)
		}
		away := m.now
		away.score, away.pending = c.score, false
		m.endProbe()
		if stays := m.now == away; stays != c.stays || !stays && m.now != saved || m.saved != nil {
			t.Errorf("score %v: stays %v", c.score, stays)
		}
	}
}
