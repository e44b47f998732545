package evolve

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mendel/analysis"
	"mendel/mutate"
)

func genEdits(t *rapid.T) []mutate.Edit {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) mutate.Edit {
		e := edit(rapid.SampledFrom(operators).Draw(t, "operator"), rapid.IntRange(0, 9).Draw(t, "node"))
		e.Count = rapid.IntRange(0, 3).Draw(t, "count")
		e.Heat = rapid.SampledFrom([]float64{-1, 0, 0.25, 0.5, 1}).Draw(t, "heat")
		return e
	}), 0, 60).Draw(t, "edits")
}

// An opening tries each edit once, and no edit has no chance.
func TestCatalogueIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edits := genEdits(t)
		want := make(map[string]bool)
		for i := range edits {
			want[edits[i].Key().String()] = true
		}
		c := (*catalogue)(nil).refresh(edits, true, byOperator)
		weight := rapid.SampledFrom([]float64{1e-6, 1, 50}).Draw(t, "weight")
		got := make(map[string]bool)
		for ch := range c.opening(func(op string) float64 {
			if op == operators[0] {
				return weight
			}
			return 1
		}) {
			if got[ch.id] {
				t.Errorf("%q comes twice", ch.id)
			}
			got[ch.id] = true
			if !(ch.weight > 0) || math.IsInf(ch.weight, 0) {
				t.Errorf("%q has weight %v", ch.id, ch.weight)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d edits in the opening, want %d", len(got), len(want))
		}
	})
}

// An operator's turns in an opening are in proportion to its weight, as long
// as its places are as hot as the others'.
func TestOpeningIsProportional(t *testing.T) {
	var edits []mutate.Edit
	for node := range 40 {
		for _, op := range []string{"a", "b"} {
			e := edit(op, node)
			e.Heat = 1
			edits = append(edits, e)
		}
	}
	turns := make(map[string]int)
	n := 0
	for ch := range (*catalogue)(nil).refresh(edits, true, byOperator).opening(func(op string) float64 {
		return map[string]float64{"a": 3, "b": 1}[op]
	}) {
		turns[ch.Operator]++
		if n++; n == 40 {
			break
		}
	}
	if turns["a"] != 30 || turns["b"] != 10 {
		t.Errorf("turns are %v, want 3 to 1", turns)
	}
}

// One hot statement with many spans does not keep the others waiting.
func TestOpeningVisitsOtherSites(t *testing.T) {
	var edits []mutate.Edit
	for span := range 30 {
		e := edit("a", 0)
		e.Count, e.Heat = span, 1
		edits = append(edits, e)
	}
	for node := 1; node <= 5; node++ {
		e := edit("a", node)
		e.Heat = 0.5
		edits = append(edits, e)
	}
	var nodes []int
	for ch := range (*catalogue)(nil).refresh(edits, true, byOperator).opening(func(string) float64 { return 1 }) {
		nodes = append(nodes, ch.Node)
	}
	if want := []int{0, 1, 2, 3, 4, 5, 0, 0}; !slices.Equal(nodes[:8], want) {
		t.Errorf("opening is %v, want it to begin with %v", nodes, want)
	}
}

func TestHotterIsLikelier(t *testing.T) {
	c := (*catalogue)(nil).refresh(grid(30, operators[:1], 0).edits, true, byOperator)
	sum, hot := 0.0, 0.0
	for i, ch := range c.by[operators[0]] {
		if i > 0 {
			prev := c.by[operators[0]][i-1]
			if ch.Heat == prev.Heat && ch.weight != prev.weight || ch.Heat < prev.Heat && ch.weight >= prev.weight {
				t.Errorf("heat %v has weight %v after heat %v with %v", ch.Heat, ch.weight, prev.Heat, prev.weight)
			}
		}
		sum += ch.weight
		if ch.Heat == 1 {
			hot += ch.weight
		}
	}
	if share := hot / sum; share < 0.4 || share > 0.7 {
		t.Errorf("the four hottest of thirty have %v of the chances", share)
	}
}

func TestEditIDs(t *testing.T) {
	lock := func(expr, key string, n *analysis.NewLock) mutate.Edit {
		e := edit("a", 1)
		e.Lock = &analysis.Lock{Expr: expr, Key: key, New: n}
		return e
	}
	different := []mutate.Edit{
		edit("a", 1), edit("b", 1), edit("a", 2),
		{Operator: "a", File: "other.go", Node: 1},
		{Operator: "a", File: "bank.go", Node: 1, Other: 1},
		{Operator: "a", File: "bank.go", Node: 1, Count: 1},
		{Operator: "a", File: "bank.go", Node: 1, Read: true},
		lock("x.mu", "T.mu", nil), lock("y.mu", "T.mu", nil), lock("x.mu", "U.mu", nil),
		lock("x.mu", "T.mu", &analysis.NewLock{Kind: "field", Name: "mu"}),
		lock("x.mu", "T.mu", &analysis.NewLock{Kind: "field", Name: "mu", Offset: 7}),
	}
	seen := make(map[string]int)
	for i := range different {
		id := different[i].Key().String()
		if j, dup := seen[id]; dup {
			t.Errorf("edits %d and %d have the same identity", i, j)
		}
		seen[id] = i
	}
	warm := edit("a", 1)
	warm.Heat, warm.Note, warm.Flags = 0.5, "why", []mutate.Flag{mutate.Nested}
	if cold := edit("a", 1); warm.Key().String() != cold.Key().String() {
		t.Error("heat, note and flags are no identity")
	}
}

// A catalogue is made anew only when the space changed.
func TestRefresh(t *testing.T) {
	space := grid(3, operators, 0)
	c := (*catalogue)(nil).refresh(space.Edits(), true, byOperator)
	if c.refresh(space.Edits(), true, byOperator) != c {
		t.Error("made anew")
	}
	space.extend(edit("new", 9))
	d := c.refresh(space.Edits(), true, byOperator)
	if d == c || !slices.Contains(d.operators, "new") {
		t.Error("not made anew")
	}
	var none []mutate.Edit
	if e := d.refresh(none, true, byOperator); len(e.operators) != 0 || e.refresh(none, true, byOperator) != e {
		t.Error("an empty space")
	}
}

func byOperator(e *mutate.Edit) string { return e.Operator }
