package localize

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/evidence"
)

// Localisation by noise: Rojas Garcia, CFLASH: Using Noise to Localize Concurrency
// Bugs (Ontario Tech, 2020). Noise places are numbered, and halves of them are noised
// in turn: the half under which the tests fail more often is halved again, and both
// are if the rates are too alike.
//
// Deviations. Rates are compared by Fisher's exact test and not by their difference;
// runs of a half end as soon as the test is clear. Failures with other signatures are
// searched for apart, in the same runs. Places that fail only together are reported
// together. What the race detector and dumps name counts as a place as well.

const (
	batchRuns  = 8    // runs between two looks at the rates: guessed
	mostRuns   = 48   // of one set of places: guessed
	clear      = 0.01 // the rates differ if it is less likely that equal ones look so
	mostFaults = 3    // signatures that are searched for
	together   = 4    // places that are reported though they were not told apart: guessed
)

// A placeSet is noise places, from the first to the last one.
type placeSet struct{ first, last int }

// A series is runs with the same places noised.
type series struct {
	runs   int
	failed map[string]int // by signature
}

func (s *series) rate(signature string) float64 {
	if s.runs == 0 {
		return 0
	}
	return float64(s.failed[signature]) / float64(s.runs)
}

// A halving is a search for the places under whose noise a program fails.
type halving struct {
	places int // how many there are
	// run makes some runs with a set of places noised, and returns the failures of
	// each. The seeds are those from the given one on.
	run   func(ctx context.Context, set placeSet, runs int, seed uint64) ([][]evidence.Failure, error)
	over  func() bool // whether the time is over
	seed  uint64
	phase func(format string, args ...any)

	total    int // runs
	made     map[placeSet]*series
	failures map[string]evidence.Failure // the first of each signature
}

// A located is a failure with the sets of places under whose noise it comes, as small
// as they were found. There are none if it comes in every run.
type located struct {
	signature string
	leaves    []placeSet
}

func (h *halving) all() placeSet { return placeSet{0, h.places - 1} }

// search finds the places of each failure, that of the most frequent failure first.
func (h *halving) search(ctx context.Context) ([]located, error) {
	h.made, h.failures = map[placeSet]*series{}, map[string]evidence.Failure{}
	base := h.of(h.all())
	h.phase("running with noise everywhere")
	for base.runs < mostRuns && !(len(base.failed) > 0 && base.runs >= 2*batchRuns) && (base.runs == 0 || !h.over()) {
		if err := h.more(ctx, h.all()); err != nil {
			return nil, err
		}
	}
	signatures := slices.SortedFunc(maps.Keys(base.failed), func(a, b string) int {
		return cmp.Or(cmp.Compare(base.failed[b], base.failed[a]), strings.Compare(a, b))
	})
	var found []located
	for _, signature := range signatures[:min(mostFaults, len(signatures))] {
		l := located{signature: signature}
		if base.failed[signature] < base.runs { // else every set fails, and nothing is told apart
			if err := h.halve(ctx, h.all(), &l); err != nil {
				return nil, err
			}
		}
		found = append(found, l)
	}
	return found, nil
}

// undecided says why noise tells no place from another; "": it does.
func (h *halving) undecided() string {
	base := h.of(h.all())
	if len(base.failed) == 0 {
		return "no run with noise fails"
	}
	for _, failed := range base.failed {
		if failed < base.runs {
			return ""
		}
	}
	return "every run with noise fails"
}

// more makes some runs of a set of places.
func (h *halving) more(ctx context.Context, set placeSet) error {
	runs, err := h.run(ctx, set, batchRuns, h.seed+uint64(h.total))
	if err != nil {
		return err
	}
	r := h.of(set)
	for _, failures := range runs {
		r.runs++
		h.total++
		seen := map[string]bool{}
		for _, f := range failures {
			if !seen[f.Signature] {
				seen[f.Signature] = true
				r.failed[f.Signature]++
			}
			if _, known := h.failures[f.Signature]; !known {
				h.failures[f.Signature] = f
			}
		}
	}
	return nil
}

// halve searches a set of places whose noise makes a failure occur: the half with
// the higher rate is kept, or both if the rates do not differ clearly.
func (h *halving) halve(ctx context.Context, set placeSet, l *located) error {
	if set.first == set.last || h.over() {
		h.leaf(set, l)
		return nil
	}
	h.phase("running with noise at places %d to %d of %d", set.first+1, set.last+1, h.places)
	middle := (set.first + set.last) / 2
	halves := [2]placeSet{{set.first, middle}, {middle + 1, set.last}}
	for h.of(halves[1]).runs < mostRuns && !h.differ(halves, l.signature) && !h.over() {
		for _, half := range halves {
			if err := h.more(ctx, half); err != nil {
				return err
			}
		}
	}
	differ := h.differ(halves, l.signature)
	rates := [2]float64{h.of(halves[0]).rate(l.signature), h.of(halves[1]).rate(l.signature)}
	if rates[0] == 0 && rates[1] == 0 {
		h.leaf(set, l)
		return nil
	}
	for i, half := range halves {
		if rates[i] == 0 || differ && rates[i] < rates[1-i] {
			continue
		}
		if err := h.halve(ctx, half, l); err != nil {
			return err
		}
	}
	return nil
}

// differ reports whether a failure comes clearly more often under one of two sets.
func (h *halving) differ(sets [2]placeSet, signature string) bool {
	a, b := h.of(sets[0]), h.of(sets[1])
	return fisher(a.failed[signature], a.runs, b.failed[signature], b.runs) < clear
}

// leaf takes down a set that is not halved any more, unless it says too little.
func (h *halving) leaf(set placeSet, l *located) {
	if set.last-set.first < together {
		l.leaves = append(l.leaves, set)
	}
}

func (h *halving) of(set placeSet) *series {
	if h.made[set] == nil {
		h.made[set] = &series{failed: map[string]int{}}
	}
	return h.made[set]
}
