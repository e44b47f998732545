package evolve

// Replacement of the weakest: Kelk 2015, section 4.2.8.
//
// The thesis does not say what it means to perform poorly for a turn. Here it
// means a score below the mean of the population; turns count in a row. The
// number of members replaced is rounded up: one in ten of five members is one.

import (
	"cmp"
	"math"
	"slices"
)

// upperShare is the part of the population that its good members are.
const upperShare = 0.25

// replaceWeak exchanges, in every ReplaceEvery-th generation, those of the
// lowest members that were weak for long enough.
func (s *search) replaceWeak(members []*member) {
	if s.Random || s.ReplaceEvery < 0 || s.generation%s.ReplaceEvery != 0 {
		return
	}
	order := slices.Clone(members)
	slices.SortFunc(order, bestFirst)
	lowest := min(share(len(order), s.ReplaceFraction), len(order))
	upper := order[:share(len(order), upperShare)]
	rng := s.stream(everybody)
	for _, m := range order[len(order)-lowest:] {
		if m.weak < s.WeakTurns {
			continue
		}
		from := s.original
		if rng.Float64() < s.ReplaceBest {
			from = upper[rng.Intn(len(upper))].now
		}
		m.now, m.before, m.saved, m.weak = from, nil, nil, 0
	}
}

// share is a fraction of n members, rounded up.
func share(n int, fraction float64) int { return int(math.Ceil(fraction * float64(n))) }

// bestFirst orders members by what they are worth, then by age.
func bestFirst(a, b *member) int {
	return cmp.Or(b.now.compare(a.now.rating), cmp.Compare(a.slot, b.slot))
}
