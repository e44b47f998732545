package evolve

// Random search, to compare with: Qi, Mao, Lei, Dai and Wang, Does genetic
// programming work well on automated program repair? (2013), which answers that
// random search does better. The thesis (section 4.3.1) names the result and
// leaves open how GA-C would do.

import (
	"iter"
	"math/rand"
	"slices"

	"mendel/mutate"
)

const (
	mostDrawn = 3   // edits of a mutant drawn at random
	maxDrawn  = 200 // draws for one member, after which it has no new mutant
)

// redraw makes the member a random mutant of the original.
func (m *member) redraw(rng *rand.Rand) {
	s := m.search
	child, err := s.newOf(s.randomSets(rng))
	child.added = nil
	m.become(s.original, child, err)
}

// randomSets are sets of one to three edits, each equally likely.
func (s *search) randomSets(rng *rand.Rand) iter.Seq[proposal] {
	var all []*choice
	for _, op := range s.catalogue.operators {
		all = append(all, s.catalogue.by[op]...)
	}
	return func(yield func(proposal) bool) {
		for i := 0; i < maxDrawn && len(all) > 0; i++ {
			var edits []mutate.Edit
			order := rng.Perm(len(all))
			for _, at := range order[:min(1+rng.Intn(mostDrawn), len(all))] {
				edits = append(edits, *all[at].Edit)
			}
			if !yield(proposal{edits: slices.Clip(edits)}) {
				return
			}
		}
	}
}
