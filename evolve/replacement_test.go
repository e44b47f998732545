package evolve

import (
	"slices"
	"testing"
)

// population makes members with the scores 0, 10, 20, ... and the given weak turns.
func population(t *testing.T, s *search, weak ...int) (members []*member) {
	t.Helper()
	for i, w := range weak {
		members = append(members, &member{
			search: s, slot: i, weak: w,
			now:    stateOf(t, s, float64(10*i), edit("a", i)),
			before: s.original,
		})
	}
	return members
}

func TestReplacement(t *testing.T) {
	for _, c := range []struct {
		name     string
		o        Options
		gen      int
		weak     []int
		replaced []int
	}{
		{"not yet", Options{}, 4, []int{9, 9, 0, 0}, nil},
		{"lowest tenth, rounded up", Options{}, 5, []int{9, 9, 0, 0}, []int{0}},
		{"again", Options{}, 10, []int{3, 3, 0, 0}, []int{0}},
		{"weak for too short", Options{}, 5, []int{2, 9, 0, 0}, nil},
		{"weak but not among the lowest", Options{ReplaceFraction: 0.5}, 5, []int{0, 3, 3, 3}, []int{1}},
		{"three of thirty", Options{}, 5, slices.Repeat([]int{3}, 30), []int{0, 1, 2}},
		{"never", Options{ReplaceEvery: -1}, 5, []int{9, 9, 9, 9}, nil},
		{"all", Options{ReplaceFraction: 7}, 5, []int{3, 3}, []int{0, 1}},
	} {
		s := ready(t, grid(2, operators, 0), c.o)
		s.generation = c.gen
		members := population(t, s, c.weak...)
		before := make([]*state, len(members))
		for i, m := range members {
			before[i] = m.now
		}
		s.replaceWeak(members)
		for i, m := range members {
			if slices.Contains(c.replaced, i) {
				if m.before != nil || m.weak != 0 {
					t.Errorf("%s: member %d was not replaced", c.name, i)
				}
			} else if m.now != before[i] || m.before == nil {
				t.Errorf("%s: member %d was replaced", c.name, i)
			}
		}
	}
}

// Three of four come from the upper quarter, one is the original.
func TestReplacements(t *testing.T) {
	upper, original := 0, 0
	for gen := range 400 {
		s := ready(t, grid(2, operators, 0), Options{})
		s.generation = 5 * (gen + 1)
		members := population(t, s, 3, 0, 0, 0, 0, 0, 0, 0)
		s.replaceWeak(members)
		switch now := members[0].now; {
		case now == s.original:
			original++
		case now == members[6].now || now == members[7].now:
			upper++
		default:
			t.Fatalf("replaced by %v", now.mutant.Edits)
		}
	}
	if upper < 260 || upper > 340 {
		t.Errorf("%d from the upper quarter and %d originals, want 3 to 1", upper, original)
	}
}

// Turns below the mean count in a row.
func TestWeakTurns(t *testing.T) {
	s := ready(t, grid(2, operators, 0), Options{})
	members := population(t, s, 0, 0, 0)
	s.finish(members)
	s.finish(members)
	if members[0].weak != 2 || members[1].weak != 0 || members[2].weak != 0 {
		t.Errorf("weak turns are %d, %d, %d", members[0].weak, members[1].weak, members[2].weak)
	}
	members[0].now = members[2].now
	s.finish(members)
	if members[0].weak != 0 || members[1].weak != 1 {
		t.Errorf("then they are %d, %d", members[0].weak, members[1].weak)
	}
}

func TestConverged(t *testing.T) {
	o := Options{ConvergeWindow: 3}.withDefaults()
	at := func(mean, best float64) progress { return progress{rating{score: mean}, rating{score: best}} }
	sloped := func(slope float64) progress { return progress{rating{400, slope}, rating{500, slope}} }
	flat := at(400, 500)
	for _, c := range []struct {
		name    string
		history []progress
		want    bool
	}{
		{"too short", []progress{flat, flat, flat}, false},
		{"flat", []progress{flat, flat, flat, flat}, true},
		{"old rise", []progress{at(0, 0), flat, flat, flat, flat}, true},
		{"mean rises", []progress{flat, flat, flat, at(400.02, 500)}, false},
		{"mean rises too little", []progress{flat, flat, flat, at(400.005, 500)}, true},
		{"best rises", []progress{flat, flat, at(400, 501), flat}, false},
		{"best rises too little", []progress{flat, flat, at(400, 500.5), flat}, true},
		{"falls", []progress{flat, at(300, 400), at(200, 300), at(100, 200)}, true},
		{"slope rises", []progress{sloped(0.5), sloped(0.5), sloped(0.6), sloped(0.6)}, false},
		{"slope rises too little", []progress{sloped(0.5), sloped(0.5), sloped(0.52), sloped(0.52)}, true},
		{"slope rises and the score falls", []progress{flat, at(300, 400), {rating{300, 0.9}, rating{400, 0.9}}, at(300, 400)}, true},
		{"falls and recovers", []progress{flat, at(300, 400), at(200, 300), flat}, true},
	} {
		if got := converged(c.history, o); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	o.ConvergeWindow = -1
	if converged(slices.Repeat([]progress{flat}, 100), o) {
		t.Error("converged without a window")
	}
}
