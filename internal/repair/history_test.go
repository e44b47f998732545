package repair

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/mutate"
)

// A history has a row for each generation, also for one that was interrupted,
// and counts what became of each operator's mutants.
func TestHistory(t *testing.T) {
	h := newHistory(time.Now(), 400)
	made := func(hash string) *mutate.Mutant {
		return &mutate.Mutant{Hash: hash, Edits: []mutate.Edit{{Operator: "lockstatement"}, {Operator: "lockmethod"}}}
	}
	guard := made("partial")
	evaluations, best := 0, 0.0
	scored := func(generation int, operator string, m *mutate.Mutant, r fitness.Result) {
		evaluations++
		if len(m.Edits) > 0 {
			best = max(best, r.Score)
		}
		h.observe(evolve.Event{Generation: generation, Evaluations: evaluations, Best: best, Mean: r.Score / 2, Mutant: m, Result: r, Operator: operator})
	}
	scored(1, "guard", guard, fitness.Result{Score: 400})
	scored(1, "guard", guard, fitness.Result{Score: 100})
	scored(1, "swap", guard, fitness.Result{Refused: "does not build"})
	scored(1, "", &mutate.Mutant{}, fitness.Result{Score: 400}) // the original
	h.observe(evolve.Event{Generation: 1, Evaluations: 4, Best: 400, Mean: 225, Done: true})
	scored(2, "swap", guard, fitness.Result{Score: 700})
	scored(2, "", guard, fitness.Result{Score: 900})
	full := fitness.Result{Score: fitness.FullScore}
	scored(2, "guard", made("full"), full)
	scored(2, "swap", made("rejected"), full)
	scored(2, "", made("without"), full)

	want := []dossier.Generation{
		{Number: 1, Best: 400, Mean: 225, Evaluations: 4, Scores: []float64{400, 100, 0}},
		{Number: 2, Best: 1000, Mean: 500, Evaluations: 9, Scores: []float64{700, 900, 1000, 1000, 1000}},
	}
	last := 0.0
	for i, g := range h.generations {
		if g.At < last {
			t.Errorf("generation %d is %v s after the beginning, the one before %v s", g.Number, g.At, last)
		}
		last, h.generations[i].At = g.At, 0
	}
	if d := cmp.Diff(want, h.generations); d != "" {
		t.Errorf("generations: -want +got:\n%s", d)
	}
	// The fix of a composite edit counts for its operator, as the mutant does. One
	// that the search has not come to, or made by taking an edit out, counts for none.
	for _, hash := range []string{"full", "without", "of another run"} {
		h.fixed(made(hash))
	}
	if d := cmp.Diff([]dossier.OperatorCount{
		{Operator: "guard", Tried: 3, Better: 1, Full: 1, Worse: 1, Fixes: 1},
		{Operator: "swap", Tried: 3, Better: 2, Full: 1, Refused: 1},
	}, h.counts()); d != "" {
		t.Errorf("operators: -want +got:\n%s", d)
	}
	(*history)(nil).fixed(guard)
	if (*history)(nil).seconds() != 0 {
		t.Error("seconds before the search")
	}
}
