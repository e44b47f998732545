package localize

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// A fake program fails in so many of every batchRuns runs with noise at some places.
type fakeProgram func(signature string, set placeSet) int

// halvingOf is a search in a fake program that fails in ways with these signatures.
func halvingOf(places int, program fakeProgram, signatures ...string) *halving {
	return &halving{
		places: places, seed: 1, over: func() bool { return false }, phase: func(string, ...any) {},
		run: func(_ context.Context, set placeSet, runs int, _ uint64) ([][]evidence.Failure, error) {
			all := make([][]evidence.Failure, runs)
			for _, signature := range signatures {
				for i := range all {
					if i < program(signature, set) {
						all[i] = append(all[i], evidence.Failure{Signature: signature})
					}
				}
			}
			return all, nil
		},
	}
}

func (s placeSet) has(place int) bool { return s.first <= place && place <= s.last }

func searched(t *testing.T, h *halving) []located {
	t.Helper()
	found, err := h.search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// One place is found in a few sets: the other half is left alone each time, and the
// runs of a set end when the test is clear.
func TestHalving(t *testing.T) {
	h := halvingOf(16, func(_ string, set placeSet) int {
		if set.has(5) {
			return 6
		}
		return 0
	}, "f")
	found := searched(t, h)
	if len(found) != 1 || found[0].signature != "f" || !slices.Equal(found[0].leaves, []placeSet{{5, 5}}) {
		t.Fatalf("found %+v", found)
	}
	// Everywhere 2 batches; 6 of 8 and 0 of 8 differ at once, in 4 steps with 2 halves.
	if want := 2*batchRuns + 4*2*batchRuns; h.total != want || len(h.made) != 1+4*2 {
		t.Errorf("%d runs of %d sets, want %d of 9", h.total, len(h.made), want)
	}
	if h.undecided() != "" {
		t.Errorf("undecided: %s", h.undecided())
	}
}

// The same with chance: the seed decides, and the place is found by its rate.
func TestHalvingByChance(t *testing.T) {
	for place := range 8 {
		h := halvingOf(8, nil)
		h.run = func(_ context.Context, set placeSet, runs int, seed uint64) ([][]evidence.Failure, error) {
			random := rand.New(rand.NewPCG(seed, uint64(place)))
			all := make([][]evidence.Failure, runs)
			for i := range all {
				if random.Float64() < 0.05 || set.has(place) && random.Float64() < 0.6 {
					all[i] = []evidence.Failure{{Signature: "f"}}
				}
			}
			return all, nil
		}
		found := searched(t, h)
		if len(found) != 1 || len(found[0].leaves) == 0 {
			t.Fatalf("place %d: found %+v", place, found)
		}
		best := slices.MaxFunc(found[0].leaves, func(a, b placeSet) int {
			return int(1000*h.of(a).rate("f")) - int(1000*h.of(b).rate("f"))
		})
		if best != (placeSet{place, place}) {
			t.Errorf("place %d: found %+v", place, found[0].leaves)
		}
	}
}

// Halves whose rates differ, but not clearly, are both followed, after all runs that
// they may have; of clearly different ones the worse, though both fail.
func TestHalvesAlike(t *testing.T) {
	rates := func(first, second int) fakeProgram {
		return func(_ string, set placeSet) int {
			switch {
			case set.has(0) && set.has(1):
				return 7
			case set.has(0):
				return first
			}
			return second
		}
	}
	for _, c := range []struct {
		first, second int
		leaves        []placeSet
		runs          int // of each half
	}{
		{4, 3, []placeSet{{0, 0}, {1, 1}}, mostRuns}, // 24 and 18 of 48: p = 0.3
		{7, 1, []placeSet{{0, 0}}, 2 * batchRuns},    // 7 and 1 of 8: p = 0.01; 14 and 2 of 16: p < 0.001
		{1, 5, []placeSet{{1, 1}}, 2 * batchRuns},
		{0, 1, []placeSet{{1, 1}}, mostRuns}, // what never fails is dropped
	} {
		h := halvingOf(2, rates(c.first, c.second), "f")
		found := searched(t, h)
		if len(found) != 1 || !slices.Equal(found[0].leaves, c.leaves) {
			t.Errorf("%d and %d of 8: found %+v, want %+v", c.first, c.second, found, c.leaves)
		}
		for i := range 2 {
			if n := h.of(placeSet{i, i}).runs; n != c.runs {
				t.Errorf("%d and %d of 8: %d runs of half %d, want %d", c.first, c.second, n, i+1, c.runs)
			}
		}
	}
}

// Two faults are kept apart by their signatures, and runs that were made for one
// count for the other: the sets of both together are those of each.
func TestTwoFaults(t *testing.T) {
	h := halvingOf(8, func(signature string, set placeSet) int {
		if signature == "left" && set.has(1) || signature == "right" && set.has(6) {
			return 6
		}
		return 0
	}, "left", "right")
	found := searched(t, h)
	got := map[string][]placeSet{}
	for _, l := range found {
		got[l.signature] = l.leaves
	}
	if len(found) != 2 || !slices.Equal(got["left"], []placeSet{{1, 1}}) || !slices.Equal(got["right"], []placeSet{{6, 6}}) {
		t.Errorf("found %+v", found)
	}
	// Both halves of everything are made once, then two steps for each.
	if want := 1 + 2 + 2*2 + 2*2; len(h.made) != want {
		t.Errorf("%d sets, want %d", len(h.made), want)
	}
	if n := h.of(placeSet{0, 3}).runs; n != batchRuns {
		t.Errorf("%d runs of the first half, want %d", n, batchRuns)
	}
}

// Places that fail only together are reported together, unless they are many.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		places, other int
		want          []placeSet
	}{
		{8, 2, []placeSet{{0, 3}}}, {8, 6, nil},
	} {
		h := halvingOf(c.places, func(_ string, set placeSet) int {
			if set.has(1) && set.has(c.other) {
				return 5
			}
			return 0
		}, "f")
		if found := searched(t, h); len(found) != 1 || !slices.Equal(found[0].leaves, c.want) {
			t.Errorf("places 1 and %d: found %+v, want %+v", c.other, found, c.want)
		}
	}
}

// Where every run fails, or none does, nothing is halved.
func TestUndecided(t *testing.T) {
	for failing, c := range map[int]struct {
		says  string
		runs  int
		found int
	}{
		0:         {"no run with noise fails", mostRuns, 0},
		batchRuns: {"every run with noise fails", 2 * batchRuns, 1},
	} {
		h := halvingOf(4, func(string, placeSet) int { return failing }, "f")
		found := searched(t, h)
		if h.undecided() != c.says || h.total != c.runs || len(found) != c.found || len(found) > 0 && len(found[0].leaves) > 0 {
			t.Errorf("%d of %d: %q after %d runs, found %+v", failing, batchRuns, h.undecided(), h.total, found)
		}
	}
}

// When the time is over, no further run is made.
func TestHalvingOver(t *testing.T) {
	for left := range 6 {
		h := halvingOf(64, func(_ string, set placeSet) int { return min(6, 1+set.last-set.first) }, "f")
		batches := 0
		run := h.run
		h.run = func(ctx context.Context, set placeSet, runs int, seed uint64) ([][]evidence.Failure, error) {
			batches++
			return run(ctx, set, runs, seed)
		}
		h.over = func() bool { return batches >= left }
		if found := searched(t, h); len(found) != 1 || batches > max(1, left+1) { // halves are run in pairs
			t.Errorf("time for %d batches: %d were run, found %+v", left, batches, found)
		}
	}
	h := halvingOf(4, func(string, placeSet) int { return 4 }, "f")
	broken := errors.New("no processes left")
	h.run = func(context.Context, placeSet, int, uint64) ([][]evidence.Failure, error) { return nil, broken }
	if _, err := h.search(t.Context()); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// The checker is asked when noise tells no place from another, and only then. Where
// it has nothing to say either, what noise told stands.
func TestNoiseFirst(t *testing.T) {
	unfit := fmt.Errorf("build the tests: %w", &checker.InstrumentError{})
	for _, c := range []struct {
		name      string
		noise     Status
		undecided string
		checker   Status
		err       error
		asked     bool
		want      Status
		by        string // whose places
	}{
		{"places told apart", Found, "", Found, nil, false, Found, "noise"},
		{"every run fails", Found, "every run fails", Found, nil, true, Found, "checker"},
		{"no run fails, the checker finds one", Inconclusive, "no run fails", Found, nil, true, Found, "checker"},
		{"no run and no schedule fails", Inconclusive, "no run fails", NothingFound, nil, true, NothingFound, ""},
		{"no run fails, the checker cannot tell", Inconclusive, "no run fails", Inconclusive, nil, true, Inconclusive, ""},
		{"every run fails, the checker cannot tell", Found, "every run fails", Inconclusive, nil, true, Found, "noise"},
		{"every run fails, no schedule does", Found, "every run fails", NothingFound, nil, true, Found, "noise"},
		{"every run fails, the checker cannot follow", Found, "every run fails", "", unfit, true, Found, "noise"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &localizing{o: Options{}.withDefaults(), result: &Result{Package: "p"}}
			tell := func(s Status, by string) {
				l.result.Status = s
				if s == Found {
					l.result.Places = []Place{{File: by}}
				}
			}
			asked := false
			err := l.noiseFirst(t.Context(), func(context.Context) (string, error) {
				tell(c.noise, "noise")
				l.result.Tried.NoiseRuns = 16
				return c.undecided, nil
			}, func(context.Context) error {
				asked = true
				tell(c.checker, "checker")
				return c.err
			})
			if err != nil || asked != c.asked || l.result.Status != c.want || l.result.Tried.NoiseRuns != 16 || l.result.Package != "p" {
				t.Fatalf("asked %t, %v, %+v", asked, err, l.result)
			}
			if by := ""; len(l.result.Places) > 0 || c.by != "" {
				if by = l.result.Places[0].File; by != c.by || len(l.result.Places) != 1 {
					t.Errorf("the places are those of %s, want %s", by, c.by)
				}
			}
		})
	}
	l := &localizing{o: Options{}.withDefaults(), result: &Result{}}
	err := l.noiseFirst(t.Context(), func(context.Context) (string, error) { return "every run fails", nil }, func(context.Context) error { return ErrSequential })
	if !errors.Is(err, ErrSequential) {
		t.Errorf("a failure that needs no second goroutine: %v", err)
	}
}
