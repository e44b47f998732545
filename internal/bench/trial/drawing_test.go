package trial

import (
	"testing"

	"mendel"
	"mendel/fitness"
	"mendel/mutate"
)

// The last candidate of a generation counts; failing mutants and the ends of
// generations do not.
func TestDrawing(t *testing.T) {
	d := &drawing{}
	if got := d.of(1); got != "" {
		t.Errorf("%q without a candidate", got)
	}
	event := func(generation int, score float64, operator string) mendel.Event {
		return mendel.Event{Generation: generation, Mutant: &mutate.Mutant{}, Operator: operator, Result: fitness.Result{Score: score}}
	}
	for _, e := range []mendel.Event{
		event(1, fitness.FullScore, "buffer"), event(1, fitness.FullScore, "guard"), event(1, 990, "rlock"),
		event(2, fitness.FullScore, "hoist"), {Generation: 2, Done: true, Best: fitness.FullScore},
	} {
		d.Search(e)
	}
	if d.of(1) != "guard" || d.of(2) != "hoist" {
		t.Errorf("%q and %q", d.of(1), d.of(2))
	}
}
