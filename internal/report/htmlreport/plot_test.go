package htmlreport

import (
	"slices"
	"testing"

	"mendel/internal/dossier"
)

// TestScoresWithin draws all within the axes, bands side by side.
func TestScoresWithin(t *testing.T) {
	search := unfixed(t).Search
	search.History = append(search.History, dossier.Generation{Number: 13, Best: 1e9, Mean: -1}) // nothing new, and nonsense
	p := plotScores(search)
	within := func(x, y float64) {
		t.Helper()
		if x < p.Left-1e-6 || x > p.Right+1e-6 || y < p.Top-1e-6 || y > p.Bottom+1e-6 {
			t.Errorf("%g, %g is outside", x, y)
		}
	}
	points := 0
	for _, g := range search.History {
		points += len(g.Scores)
	}
	if len(p.Points) != points {
		t.Errorf("of %d mutants %d are drawn", points, len(p.Points))
	}
	for _, m := range p.Points {
		within(m.X, m.Y)
	}
	for _, m := range p.Means {
		within(m.X, m.Y)
		within(m.End, m.Y)
	}
	at := p.Left
	for _, b := range p.Bands {
		if d := b.X - at; d > 1e-6 || d < -1e-6 {
			t.Errorf("a band begins at %g, the one before ends at %g", b.X, at)
		}
		at = b.End
	}
	within(at, p.Bottom)
}

func TestManyScores(t *testing.T) {
	p := plotScores(dossier.Search{History: []dossier.Generation{{Number: 1, Scores: make([]float64, 10*shownPoints+3)}}})
	if n := len(p.Points); n > shownPoints || n < shownPoints/2 {
		t.Errorf("%d mutants are drawn", n)
	}
	if plotScores(dossier.Search{}) != nil {
		t.Error("nothing is drawn as something")
	}
}

// TestOutcomes sorts each mutant into one part.
func TestOutcomes(t *testing.T) {
	for _, o := range append(unfixed(t).Search.Operators, dossier.OperatorCount{Tried: 5, Full: 5, Better: 5}) {
		sum := 0
		for _, s := range outcomes(o) {
			sum += s.Count
		}
		if sum != o.Tried {
			t.Errorf("%+v has %d outcomes", o, sum)
		}
	}
	b := plotOperators(unfixed(t).Search.Operators)
	for _, r := range b.Rows {
		if r.End > b.Right+1e-6 || len(r.Segments) == 0 {
			t.Errorf("the bar of %s ends at %g of %g", r.Label, r.End, b.Right)
		}
	}
}

func TestPlotsOfNothing(t *testing.T) {
	if plotOperators([]dossier.OperatorCount{{Operator: "x", Fixes: 1}}) != nil || plotPhases(nil) != nil || plotPhases([]dossier.Phase{{Name: "load"}}) != nil {
		t.Error("nothing is drawn as something")
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		most  float64
		whole bool
		want  []float64
	}{
		{1, true, []float64{0, 1}},
		{1, false, []float64{0, .5, 1}},
		{7, true, []float64{0, 2, 4, 6}},
		{41, true, []float64{0, 20, 40}},
		{400, true, []float64{0, 100, 200, 300, 400}},
		{.02, false, []float64{0, .005, .01, .015, .02}},
	} {
		if got := ticks(c.most, c.whole); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }) {
			t.Errorf("up to %g: %v, want %v", c.most, got, c.want)
		}
	}
}
