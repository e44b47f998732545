package evolve

import (
	"context"
	"testing"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// Where three races have to be mended before a run passes, a search that sees
// how many are left finds the way, and one that does not hardly ever does.
func TestSlopeLeads(t *testing.T) {
	found := func(noSlope bool) (n int) {
		for seed := range uint64(10) {
			eval := &fakeEvaluator{score: noRace, distinct: races}
			o := Options{Seed: seed + 1, Kind: evidence.Race, Workers: 1, Generations: 15, NoSlope: noSlope}
			r, err := Search(context.Background(), grid(30, operators, 4), eval, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Ended == Accepted {
				n++
			}
		}
		return n
	}
	with, without := found(false), found(true)
	if with < 8 || without > with/2 {
		t.Errorf("with a slope %d of 10 searches found the fix, without %d", with, without)
	}
}

// The score comes first, however steep the slope.
func TestRatings(t *testing.T) {
	for _, c := range []struct {
		name          string
		better, worse rating
	}{
		{"score", rating{67, 0}, rating{0, 0.9}},
		{"slope", rating{0, 0.6}, rating{0, 0.5}},
	} {
		if c.better.compare(c.worse) <= 0 || c.worse.compare(c.better) >= 0 {
			t.Errorf("%s: %+v is not better than %+v", c.name, c.better, c.worse)
		}
	}
	if up, down := gain(rating{0, 0.5}, rating{0, 0.6}), gain(rating{0, 0.6}, rating{0, 0.5}); up <= 0 || down >= 0 {
		t.Errorf("a rise of the slope brings %v, a fall %v", up, down)
	}
}

// What turned out to be no fix is worth no more than the original, and nobody
// follows it; the others keep what they are.
func TestDemote(t *testing.T) {
	space := grid(4, operators, 0)
	s := ready(t, space, Options{})
	s.Rejected = func(m *mutate.Mutant) bool { return has(m, operators[0], 0) }
	no, yes, less := stateOf(t, s, 1000, space.edits[0]), stateOf(t, s, 1000, space.edits[1]), stateOf(t, s, 900, space.edits[0])
	for _, c := range []struct {
		now  *state
		want rating
	}{{no, s.original.rating}, {yes, rating{score: 1000}}, {less, rating{score: 900}}} {
		m := &member{search: s, now: c.now}
		s.demote(m)
		if m.now.rating != c.want || m.now.mutant != c.now.mutant {
			t.Errorf("a mutant rated %+v became %+v, want %+v", c.now.rating, m.now.rating, c.want)
		}
	}
	if no.score != 1000 {
		t.Error("a state that others share was changed")
	}
}

// Members that are no better than the original follow those that are, if there are any.
func TestFollow(t *testing.T) {
	space := grid(4, operators, 0)
	s := ready(t, space, Options{})
	base, better := stateOf(t, s, s.original.score, space.edits[0]), stateOf(t, s, 900, space.edits[1])
	count := func(from *state) (n int) {
		rng := s.stream(everybody)
		for range 100 {
			if s.follow(from, rng) == better {
				n++
			}
		}
		return n
	}
	if n := count(base); n > 0 {
		t.Errorf("followed %d times where nobody leads", n)
	}
	s.leaders = []*state{better}
	if n := count(base); n < 20 || n > 80 {
		t.Errorf("followed %d of 100 times, want %v of the times", n, followChance)
	}
	if n := count(stateOf(t, s, 800, space.edits[2])); n > 0 {
		t.Errorf("one that is better than the original followed %d times", n)
	}
}
