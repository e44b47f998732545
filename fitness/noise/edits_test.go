package noise

import (
	"errors"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mendel/analysis"
	"mendel/internal/operators"
	"mendel/internal/sample"
	"mendel/mutate"
)

// drawMutants draws mutants of a program: random sets of one to three edits of all
// operators, everything taken to be used concurrently.
func drawMutants(t *testing.T, p *analysis.Program, n, seed int) (sets []map[string][]byte) {
	t.Helper()
	everything := analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true })
	space, err := mutate.NewSpace(p, everything, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, edits := range rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(space.Edits()), 1, 3), 10*n, 10*n).Example(seed) {
		m, err := space.Mutant(t.Context(), edits)
		if refused := (*mutate.Refusal)(nil); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !seen[m.Hash] && len(sets) < n {
			seen[m.Hash] = true
			sets = append(sets, m.Files)
		}
	}
	return sets
}

// ends counts how runs of a test end: by the signatures of the failures, "" if it passes.
func ends(t *testing.T, h *Harness, b *Binary, test string, n int, seen map[string]int) {
	t.Helper()
	for range n {
		o, err := h.run(t.Context(), b, "^"+test+"$", RunOptions{Quiet: true, Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if o.Pass {
			seen[""]++
		}
		for _, f := range o.Failures {
			seen[f.Signature]++
		}
	}
}

// shownByOne is what one shows in more than an eighth of so many runs, and the other never:
// what is seen once and not again is chance.
func shownByOne(one, other map[string]int, runs int) (all []string) {
	for what, n := range one {
		if 8*n > runs && other[what] == 0 {
			all = append(all, what)
		}
	}
	return all
}

// What operators make of a program, in random sets, fails from one executable as from one
// each: with the same messages, at the same places. mendel-bench variants does so with all
// subjects and kernels.
func TestDrawnEditsFailAlike(t *testing.T) {
	sample.Whole(t, "TestBuildAll compares mutants of each kind")
	h := loaded(t, "-gcflags=-l") // what is inlined shows in places, and variants are inlined less
	const runs, more = 2, 40
	sets := drawMutants(t, h.c.Program, 4, 0)
	built, err := h.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, b := range built {
		if b == nil {
			continue
		}
		compared++
		alone := build(t, h, Noised, sets[i])
		for _, test := range []string{"TestPass", "TestRace", "TestDeadlock", "TestLeakSend", "TestFail", "TestPanic"} {
			want, got := map[string]int{}, map[string]int{}
			ends(t, h, alone, test, runs, want)
			ends(t, h, b, test, runs, got)
			if maps.Equal(want, got) {
				continue
			}
			ends(t, h, alone, test, more, want)
			ends(t, h, b, test, more, got)
			if a, b := shownByOne(want, got, more), shownByOne(got, want, more); len(a)+len(b) > 0 {
				t.Errorf("mutant %d, %s: alone %q, together %q", i, test, a, b)
			}
		}
	}
	if 2*compared <= len(sets) {
		t.Errorf("%d of %d mutants were variants: too few to tell anything", compared, len(sets))
	}
	for _, b := range built {
		if b != nil {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
