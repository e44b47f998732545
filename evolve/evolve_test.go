package evolve

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
)

var operators = []string{"lockstatement", "lockmethod", "swaplocks", "widenafter"}

// flat is a landscape where nothing but the wanted mutants differs from the original.
func flat(fixed func(m *mutate.Mutant) bool) *fakeEvaluator {
	return &fakeEvaluator{score: func(m *mutate.Mutant) float64 {
		if fixed(m) {
			return 1000
		}
		return 400
	}}
}

func never(*mutate.Mutant) bool { return false }

// A search must not depend on the number of workers, whatever the landscape.
func TestWorkersChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := rapid.IntRange(1, 12).Draw(t, "sites")
		locks := rapid.IntRange(0, 3).Draw(t, "locks")
		refusals := rapid.Float64Range(0, 0.8).Draw(t, "refusals")
		good := rapid.Float64Range(0, 0.1).Draw(t, "good")
		acceptable := rapid.Float64Range(0, 1).Draw(t, "acceptable")
		o := Options{
			Population:       rapid.IntRange(1, 10).Draw(t, "population"),
			Generations:      rapid.IntRange(1, 8).Draw(t, "generations"),
			Seed:             rapid.Uint64().Draw(t, "seed"),
			UniformOperators: rapid.Bool().Draw(t, "uniform"),
			ReplaceEvery:     2,
			ReplaceFraction:  0.4,
			WeakTurns:        1,
			Accept: func(_ context.Context, m *mutate.Mutant, _ fitness.Result) (bool, error) {
				return chance("accept", m.Edits) < acceptable, nil
			},
		}
		search := func(workers int) (*Result, []Event) {
			space := grid(sites, operators, locks)
			space.refuse = func(edits []mutate.Edit) bool { return chance("refuse", edits) < refusals }
			eval := &fakeEvaluator{
				score: func(m *mutate.Mutant) float64 {
					if chance("good", m.Edits) < good {
						return 1000
					}
					return float64(int(chance("score", m.Edits) * 1000))
				},
				before: func(_ context.Context, m *mutate.Mutant) error {
					for range int(chance("time", m.Edits) * 20) {
						runtime.Gosched()
					}
					return nil
				},
			}
			o := o
			var events []Event
			o.Workers = workers
			o.Observe = func(e Event) { events = append(events, e) }
			r, err := Search(context.Background(), space, eval, o)
			if err != nil {
				t.Fatal(err)
			}
			for hash, n := range eval.calls {
				if n > 1 {
					t.Errorf("%d workers: %q was scored %d times", workers, hash, n)
				}
			}
			return r, events
		}
		one, events := search(1)
		four, events4 := search(4)
		hashes := cmp.Transformer("hash", func(m *mutate.Mutant) string {
			if m == nil {
				return "none"
			}
			return m.Hash
		})
		if diff := cmp.Diff(one, four, hashes); diff != "" {
			t.Errorf("results of one and four workers differ:\n%s", diff)
		}
		if diff := cmp.Diff(events, events4, hashes); diff != "" {
			t.Errorf("events of one and four workers differ:\n%s", diff)
		}
	})
}

func TestSeedsDiffer(t *testing.T) {
	search := func(seed uint64) (hashes []string) {
		_, err := Search(context.Background(), grid(10, operators, 2), flat(never), Options{
			Population: 5, Generations: 4, Seed: seed,
			Observe: func(e Event) {
				if e.Mutant != nil {
					hashes = append(hashes, e.Mutant.Hash)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return hashes
	}
	a, b := search(1), search(2)
	if !slices.Equal(a[:6], b[:6]) {
		t.Error("the first generation depends on the seed")
	}
	if slices.Equal(a, b) {
		t.Error("the seed changes nothing")
	}
}

func TestHotSingleEditIsFoundFirst(t *testing.T) {
	space := grid(40, operators, 1)
	r, err := Search(context.Background(), space, flat(func(m *mutate.Mutant) bool { return has(m, "swaplocks", 1) }), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Ended != Accepted || r.Generations != 1 || r.Evaluations > 16 {
		t.Errorf("ended %s in generation %d after %d evaluations, want accepted in the first within 16", r.Ended, r.Generations, r.Evaluations)
	}
	if len(r.Best) == 0 || !has(r.Best[0].Mutant, "swaplocks", 1) {
		t.Errorf("best is %v", r.Best)
	}
}

// The first step of the fix changes nothing; it must be kept for the second.
// There are 276 pairs of edits, and the population has 30 members.
func TestNeutralStepLeadsToFix(t *testing.T) {
	fixed := func(m *mutate.Mutant) bool { return has(m, "lockstatement", 0) && has(m, "widenafter", 3) }
	soon := 0
	for seed := range uint64(10) {
		r, err := Search(context.Background(), grid(6, operators, 1), flat(fixed), Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if r.Ended != Accepted {
			t.Errorf("seed %d: ended %s in generation %d", seed, r.Ended, r.Generations)
		}
		if r.Generations <= 6 {
			soon++
		}
	}
	if soon < 7 {
		t.Errorf("%d of 10 seeds found the fix within six generations, want 7", soon)
	}
}

func TestOriginalIsNoCandidate(t *testing.T) {
	offered := 0
	all := &fakeEvaluator{score: func(*mutate.Mutant) float64 { return 1000 }}
	r, err := Search(context.Background(), grid(2, operators, 0), all, Options{
		Generations: 2,
		Accept: func(_ context.Context, m *mutate.Mutant, _ fitness.Result) (bool, error) {
			if offered++; len(m.Edits) == 0 {
				t.Error("the original was offered")
			}
			return false, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if offered != r.Evaluations-1 {
		t.Errorf("%d mutants offered of %d evaluations", offered, r.Evaluations)
	}
	for _, b := range r.Best {
		if len(b.Mutant.Edits) == 0 {
			t.Error("the original is among the best")
		}
	}
}

func TestGivenOriginalIsNotScored(t *testing.T) {
	given := resultOf(400)
	eval := flat(never)
	eval.before = func(_ context.Context, m *mutate.Mutant) error {
		if len(m.Edits) == 0 {
			return errors.New("the original was scored")
		}
		return nil
	}
	tell := func(e Event) {
		if e.Original != given.Score {
			t.Errorf("an event has the original at %v, want %v", e.Original, given.Score)
		}
	}
	_, err := Search(context.Background(), grid(5, operators, 0), eval, Options{Population: 5, Generations: 3, Original: &given, Observe: tell})
	if err != nil {
		t.Fatal(err)
	}
}

func TestNoEdits(t *testing.T) {
	empty := &fakeSpace{}
	refusing := grid(3, operators, 1)
	refusing.refuse = func([]mutate.Edit) bool { return true }
	for name, space := range map[string]*fakeSpace{"empty": empty, "all refused": refusing} {
		eval := flat(never)
		r, err := Search(context.Background(), space, eval, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Ended != NoEdits || len(r.Best) != 0 || eval.count() != 0 {
			t.Errorf("%s: ended %s with %d best after %d evaluations", name, r.Ended, len(r.Best), eval.count())
		}
	}
}

func TestRefusedOnce(t *testing.T) {
	space := grid(6, operators, 2)
	space.refuse = func(edits []mutate.Edit) bool { return chance("refuse", edits) < 0.7 }
	r, err := Search(context.Background(), space, flat(never), Options{Population: 8, Generations: 12})
	if err != nil {
		t.Fatal(err)
	}
	if r.Evaluations < 30 {
		t.Errorf("only %d evaluations", r.Evaluations)
	}
	if len(space.no) == 0 {
		t.Error("nothing was refused")
	}
	for set, n := range space.no {
		if n > 1 {
			t.Errorf("%q was refused %d times", set, n)
		}
	}
}

// Sets that print the same source are one mutant.
func TestEqualSourcesAreScoredOnce(t *testing.T) {
	space := grid(4, operators, 3)
	space.same = func(edits []mutate.Edit) string {
		nodes := make(map[int]bool)
		for _, e := range edits {
			nodes[e.Node] = true
		}
		return fmt.Sprint(nodes)
	}
	r, err := Search(context.Background(), space, flat(never), Options{Population: 10})
	if err != nil {
		t.Fatal(err)
	}
	if r.Evaluations != 1<<4 {
		t.Errorf("%d evaluations, want one for each of 16 sources", r.Evaluations)
	}
	hashes := make(map[string]bool)
	for _, b := range r.Best {
		if hashes[b.Mutant.Hash] {
			t.Errorf("%s is twice among the best", b.Mutant.Hash)
		}
		hashes[b.Mutant.Hash] = true
	}
	if len(r.Best) != 10 {
		t.Errorf("%d best, want 10", len(r.Best))
	}
}

func TestLargeSpace(t *testing.T) {
	space := grid(400, operators, 20) // 32,000 edits
	r, err := Search(context.Background(), space, flat(never), Options{Generations: 3, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Ended != OutOfGenerations || r.Evaluations != 3*30+1 {
		t.Errorf("ended %s after %d evaluations, want 91 different mutants", r.Ended, r.Evaluations)
	}
}

func TestGenerationsAreExhausted(t *testing.T) {
	climbing := &fakeEvaluator{score: func(m *mutate.Mutant) float64 { return float64(10 * len(m.Edits)) }}
	for _, n := range []int{1, 2, 7} {
		dones := 0
		r, err := Search(context.Background(), grid(20, operators, 2), climbing, Options{
			Population: 4, Generations: n, Observe: func(e Event) {
				if e.Done {
					dones++
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Ended != OutOfGenerations || r.Generations != n || dones != n {
			t.Errorf("ended %s in generation %d with %d complete, want %d", r.Ended, r.Generations, dones, n)
		}
	}
}

func TestConvergesOnFlatLandscape(t *testing.T) {
	r, err := Search(context.Background(), grid(2, operators, 1), flat(never), Options{Population: 6})
	if err != nil {
		t.Fatal(err)
	}
	if r.Ended != Converged || r.Generations != 11 {
		t.Errorf("ended %s in generation %d, want converged in the eleventh", r.Ended, r.Generations)
	}
	r, err = Search(context.Background(), grid(20, operators, 2), flat(never), Options{Population: 6, ConvergeWindow: -1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Ended != OutOfGenerations {
		t.Errorf("without a window: ended %s", r.Ended)
	}
}

// Events count up, and the original's score does not hide that of the mutants.
func TestEvents(t *testing.T) {
	eval := &fakeEvaluator{score: func(m *mutate.Mutant) float64 {
		if len(m.Edits) == 0 {
			return 900
		}
		return 300
	}}
	evaluations, generation := 0, 1
	var last Event
	_, err := Search(context.Background(), grid(5, operators, 0), eval, Options{
		Population: 4, Generations: 3, Kind: evidence.Race,
		Observe: func(e Event) {
			last = e
			if e.Done {
				if e.Mutant != nil || e.Evaluations != evaluations {
					t.Errorf("done: %+v", e)
				}
				generation++
				return
			}
			evaluations++
			if e.Generation != generation || e.Evaluations != evaluations || e.Mutant == nil {
				t.Errorf("event %d of generation %d: %+v", evaluations, generation, e)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last.Best != 300 || last.Mean != 300 || last.Generation != 3 {
		t.Errorf("last event is %+v, want best and mean 300", last)
	}
}
