package evolve

import (
	"context"
	"slices"
	"testing"

	"mendel/mutate"
)

// An event names the operator of the edit that the mutant's mutation added, and
// none where an edit was taken out or several were added at once.
func TestEventOperator(t *testing.T) {
	rising := &fakeEvaluator{score: func(m *mutate.Mutant) float64 { return float64(100 * len(m.Edits)) }}
	for _, random := range []bool{false, true} {
		known := map[string]int{} // by how many edits of the operator a mutant has
		_, err := Search(context.Background(), grid(6, operators, 0), rising, Options{
			Population: 6, Generations: 8, ConvergeWindow: -1, Random: random,
			Observe: func(e Event) {
				switch {
				case e.Done || len(e.Mutant.Edits) == 0:
					if e.Operator != "" {
						t.Errorf("operator %s of %+v", e.Operator, e)
					}
				case e.Operator == "":
					known["none"]++
				case !slices.ContainsFunc(e.Mutant.Edits, func(o mutate.Edit) bool { return o.Operator == e.Operator }):
					t.Errorf("operator %s is in none of %v", e.Operator, e.Mutant.Edits)
				case len(e.Mutant.Edits) == 1:
					known["alone"]++
				default:
					known["more"]++
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := !random; (known["alone"] > 0) != want || (known["more"] > 0) != want {
			t.Errorf("random %v: %v", random, known)
		}
	}
}
