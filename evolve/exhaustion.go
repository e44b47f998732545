package evolve

// The end of a small space. Kelk 2015 knows of none: there a search with nothing
// left to try goes on until it converges.
//
// A space is exhausted when every mutation of every mutant that was planned was
// planned too, or refused. What only sets that the space refuses would lead to
// does not count. A generation whose members have nothing new takes what is left
// over elsewhere, so that a small space is exhausted before the search converges.

import (
	"iter"
	"math/rand"

	"mendel/mutate"
)

// leftovers are the mutations of all mutants that were planned, in their order.
// A mutant whose mutations were drawn to the end is passed over from then on,
// as long as the catalogue is the same: there is nothing new among them.
func (s *search) leftovers(rng *rand.Rand) iter.Seq[proposal] {
	return func(yield func(proposal) bool) {
		for ; s.drained < len(s.memory.order); s.drained++ {
			base := &state{mutant: &mutate.Mutant{Edits: s.memory.order[s.drained]}}
			for p := range s.proposals(base, rng) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// gather probes what is left over, if anything is.
func (m *member) gather(rng *rand.Rand) {
	child, err := m.search.newOf(m.search.leftovers(rng))
	if child.fresh || err != nil {
		child.added = nil // it was not added to what the member was, nor tried alone
		m.startProbe(child, err)
	}
}

// exhausted reports, between two generations, whether there is nothing left to
// try. It does not know as long as more is refused than it may build in one go.
func (s *search) exhausted() (bool, error) {
	if s.Random || s.ctx.Err() != nil {
		return false, nil
	}
	s.list() // the space may have more edits since the generation
	left, err := s.newOf(s.leftovers(s.stream(remainder)))
	return left.all && !left.fresh, err
}
