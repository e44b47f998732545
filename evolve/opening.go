package evolve

// The first generation. Kelk 2015, section 4.2.4, makes each member a copy of the
// incorrect program and mutates it at random. So does Options.NoOpening.
//
// Deviation: otherwise the mutants of the first generation are not random but
// single edits in the order of the catalogue's opening, each source once. There may be
// more of them than the population has members (Options.Opening): the best go on. If
// there are too few, mutations of them fill the population. If these run out too,
// the population is smaller than asked for. Later generations go on with the
// opening: members that are no better than the original probe its next edit, and
// some additions are of its next edit. So every edit is tried in time, the
// likeliest first, and the search does not converge before (convergence.go).

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"mendel/mutate"
)

// first makes the first generation and returns its members.
func (s *search) first() ([]*member, error) {
	original, err := s.space.Mutant(s.ctx, nil)
	if err != nil {
		if s.ctx.Err() != nil {
			s.ended = Stopped
			return nil, nil
		}
		return nil, fmt.Errorf("building the original program: %w", err)
	}
	s.original = &state{mutant: original, pending: true}
	if s.Original != nil {
		s.original.result, s.original.pending = *s.Original, false
		s.original.rating = s.rate(*s.Original)
	}
	s.memory.plan(original, nil)
	s.memory.sets[setID(nil)] = original.Hash

	s.begin()
	var members []*member
	s.evaluate(func(yield func(planned) bool) {
		for m := range s.openers() {
			members = append(members, m)
			if !m.planned(yield) {
				return
			}
		}
		if s.original.pending && len(members) > 0 {
			yield(planned{mutant: original})
		}
	})
	if s.ended != "" || s.err != nil || s.ctx.Err() != nil || len(members) == 0 {
		return members, s.err
	}
	s.settleOriginal()
	if err := s.finish(members); err != nil || len(members) <= s.Population {
		return members, err
	}
	slices.SortStableFunc(members, firstToMutate)
	return members[:s.Population], nil
}

// settleOriginal rates the original if it was scored with the first generation.
func (s *search) settleOriginal() {
	if s.original.pending {
		s.original.result = s.ledger.results[s.original.mutant.Hash] // slopes are relative to it
		s.original.settle(s)
	}
}

// openers are the members of the first generation.
func (s *search) openers() iter.Seq[*member] {
	return func(yield func(*member) bool) {
		var bases []*state
		n := 0
		for m := range s.singles(0, s.Opening) {
			n++
			bases = append(bases, m.now)
			if !yield(m) {
				return
			}
		}
		if s.NoOpening || s.Random {
			bases = slices.Repeat([]*state{s.original}, s.Population)
		}
		for misses, i := 0, 0; n < s.Population && misses < len(bases); i++ {
			m := &member{search: s, slot: n, now: bases[i%len(bases)]}
			m.Mutate(s.stream(i))
			switch {
			case m.fresh || m.err != nil:
				misses = 0
				n++
				if !yield(m) {
					return
				}
			default:
				misses++
			}
		}
	}
}

// singles are new members with one edit each, no source twice, until the population
// has a size; it has n members now. The last may be one with an error.
func (s *search) singles(n, size int) iter.Seq[*member] {
	return func(yield func(*member) bool) {
		for ; n < size; n++ {
			child, err := s.single(math.MaxInt, func(*choice) bool { return true })
			if !child.fresh && err == nil {
				return
			}
			m := &member{search: s, slot: n, now: s.original}
			m.become(s.original, child, err)
			if !yield(m) || err != nil {
				return
			}
		}
	}
}

// single makes a mutant of the next edit of the opening that was not tried
// alone yet, as long as those are wanted. It is fresh unless there is none, or
// none among those that it may build.
func (s *search) single(builds int, wanted func(*choice) bool) (offspring, error) {
	for ; builds > 0 && len(s.queue) > 0; s.queue = s.queue[1:] {
		ch := s.queue[0]
		if s.memory.alone(ch) {
			continue
		}
		if !wanted(ch) {
			break
		}
		builds--
		m, err := s.build([]mutate.Edit{*ch.Edit})
		if err != nil {
			return offspring{}, err
		}
		if m != nil && !s.memory.planned[m.Hash] {
			s.queue = s.queue[1:]
			return offspring{mutant: m, added: ch, fresh: true}, nil
		}
	}
	return offspring{}, nil
}

// newcomer goes on with the opening: it returns the next edit that no mutation
// has added yet. The queue keeps it, so that it is tried alone, too.
func (s *search) newcomer() (*choice, bool) {
	for _, ch := range s.queue {
		if !s.memory.added[ch.id] && !s.memory.alone(ch) {
			return ch, true
		}
	}
	return nil, false
}

// untried reports whether an edit is left that was not tried alone.
func (s *search) untried() bool {
	return slices.ContainsFunc(s.queue, func(ch *choice) bool { return !s.memory.alone(ch) })
}

// widen lists more edits of the space where fewer than a generation are left that were
// not tried alone; it reports whether there were any.
func (s *search) widen() bool {
	if s.Widen == nil || s.ctx.Err() != nil {
		return false
	}
	left := 0
	for _, ch := range s.queue {
		if !s.memory.alone(ch) {
			if left++; left >= s.Population {
				return false
			}
		}
	}
	return s.Widen()
}
