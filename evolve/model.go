package evolve

// eaopt's side of the search. Its Model decides what a generation is; ours
// mutates every member, scores the new mutants and replaces the weak. eaopt
// minimises, so a member's fitness is what it lacks for a full score.

import (
	"iter"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"mendel/fitness"
)

// A member of the population; eaopt's genome. States are shared between
// members and, once settled, never changed.
type member struct {
	search *search
	slot   int    // its age in the population
	now    *state // never nil
	before *state // what now was made from; nil for a member put in as a replacement
	saved  *saved // nil when not on a probe
	weak   int    // turns in a row below the mean of the population

	// Of the latest mutation:
	fresh bool    // now is a source not seen before
	added *choice // the edit that was added; nil when one was taken out
	err   error   // what kept it from being made
}

// saved is what a member was before a probe.
type saved struct{ now, before *state }

var _ eaopt.Genome = (*member)(nil)

// Evaluate returns what the member lacks for a full score. The scoring was
// done when the generation was.
func (m *member) Evaluate() (float64, error) { return fitness.FullScore - m.now.score, nil }

// Crossover does nothing: sections of two mutants spliced together would
// seldom be sections (Kelk 2015, section 4.2.2).
func (m *member) Crossover(eaopt.Genome, *rand.Rand) {}

// Clone copies the member for eaopt's hall of fame.
func (m *member) Clone() eaopt.Genome {
	clone := *m
	return &clone
}

// settle hands the member the score that its mutation got.
func (m *member) settle(s *search) {
	m.now.settle(s)
	if m.saved != nil {
		m.saved.now.settle(s)
	}
}

// A model is GA-C as a model of eaopt.
type model struct{ search *search }

var _ eaopt.Model = model{}

// Validate accepts everything: Options have been checked.
func (model) Validate() error { return nil }

// Apply makes one generation.
func (mod model) Apply(pop *eaopt.Population) error {
	s := mod.search
	s.begin()
	slices.SortFunc(pop.Individuals, func(a, b eaopt.Individual) int {
		return firstToMutate(a.Genome.(*member), b.Genome.(*member))
	})
	s.leaders = s.lead(pop)
	s.evaluate(s.turn(pop))
	if s.ended != "" || s.err != nil || s.ctx.Err() != nil {
		return s.err
	}
	members := make([]*member, len(pop.Individuals))
	for i, individual := range pop.Individuals {
		members[i] = individual.Genome.(*member)
	}
	return s.finish(members)
}

// lead returns the better of the upper quarter of a sorted population: those that
// are better than the original. There is none on a flat landscape.
func (s *search) lead(pop *eaopt.Population) (leaders []*state) {
	if s.NoSlope {
		return nil
	}
	for _, individual := range pop.Individuals[:share(len(pop.Individuals), upperShare)] {
		if st := individual.Genome.(*member).now; st.compare(s.original.rating) > 0 {
			leaders = append(leaders, st)
		}
	}
	return leaders
}

// turn mutates the members of a population; it is the plan of a generation.
func (s *search) turn(pop *eaopt.Population) iter.Seq[planned] {
	return func(yield func(planned) bool) {
		anew := false
		for i := range pop.Individuals {
			pop.Individuals[i].Mutate(s.stream(i))
			m := pop.Individuals[i].Genome.(*member)
			anew = anew || m.fresh
			if !m.planned(yield) {
				return
			}
		}
		// A space that was too small for the population may have grown.
		for m := range s.singles(len(pop.Individuals), s.Population) {
			pop.Individuals = append(pop.Individuals, eaopt.NewIndividual(m, pop.RNG))
			anew = true
			if !m.planned(yield) {
				return
			}
		}
		for i := 0; i < len(pop.Individuals) && !anew && !s.Random; i++ {
			m := pop.Individuals[i].Genome.(*member)
			m.gather(s.stream(remainder))
			if !m.planned(yield) {
				return
			}
		}
	}
}

// planned passes the member's new mutant on to be scored, unless it has been
// seen; it returns false when planning is over.
func (m *member) planned(yield func(planned) bool) bool {
	switch {
	case m.err != nil:
		yield(planned{err: m.err})
		return false
	case m.fresh:
		return yield(planned{mutant: m.now.mutant, added: m.added, urgent: m.before == m.search.original && m.added != nil && m.search.urgent[m.added.id] > 0})
	}
	return true
}
