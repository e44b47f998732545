package evolve

// The first generation: Kelk 2015, section 4.2.4, starts from as many copies
// of the incorrect program as there are members and mutates each at random.
//
// Deviation: the mutations of the first generation are not random but single
// edits in the order of the catalogue's opening, each source once. When there
// are fewer than members, mutations of these fill the population; when those
// run out too, the population is smaller than asked for. Later generations
// go on with the opening: some of their mutations add its next edit, so that
// in time every edit is tried, the likeliest first.

import (
	"fmt"
	"iter"

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
		s.original.result, s.original.score, s.original.pending = *s.Original, s.Original.Score, false
	}
	s.memory.plan(original, nil)
	s.memory.sets[setID(nil)] = original.Hash

	s.begin()
	var members []*member
	s.evaluate(func(yield func(*mutate.Mutant, error) bool) {
		for m := range s.openers() {
			members = append(members, m)
			if !m.planned(yield) {
				return
			}
		}
		if s.original.pending && len(members) > 0 {
			yield(original, nil)
		}
	})
	if s.ended != "" || s.err != nil || s.ctx.Err() != nil || len(members) == 0 {
		return members, s.err
	}
	if s.original.pending {
		s.original.result = s.ledger.results[original.Hash]
		s.original.score = s.original.result.Score
		s.original.pending = false
	}
	s.finish(members)
	return members, nil
}

// openers are the members of the first generation.
func (s *search) openers() iter.Seq[*member] {
	return func(yield func(*member) bool) {
		var bases []*member
		for m := range s.singles(0) {
			bases = append(bases, m)
			if !yield(m) {
				return
			}
		}
		n := len(bases)
		for misses, i := 0, 0; n < s.Population && misses < len(bases); i++ {
			m := &member{search: s, slot: n, now: bases[i%len(bases)].now}
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

// singles are new members with one edit each, no source twice, until the
// population has its size; it has n members now. The last may be one with an error.
func (s *search) singles(n int) iter.Seq[*member] {
	return func(yield func(*member) bool) {
		if n >= s.Population {
			return
		}
		for ch, ok := s.nextUnopened(); ok; ch, ok = s.nextUnopened() {
			edits := []mutate.Edit{*ch.Edit}
			if _, known := s.memory.sets[setID(edits)]; known {
				continue
			}
			m, err := s.build(edits)
			if err != nil {
				yield(&member{search: s, slot: n, now: s.original, err: err})
				return
			}
			if m == nil || s.memory.planned[m.Hash] {
				continue
			}
			s.memory.plan(m, ch)
			fresh := &member{
				search: s, slot: n, now: &state{mutant: m, pending: true}, before: s.original,
				fresh: true, came: ch,
			}
			if n++; !yield(fresh) || n == s.Population {
				return
			}
		}
	}
}

// nextUnopened goes on with the opening: it returns the next edit that no
// mutation has brought in yet.
func (s *search) nextUnopened() (*choice, bool) {
	for len(s.queue) > 0 {
		ch := s.queue[0]
		s.queue = s.queue[1:]
		if !s.memory.came[ch.id] {
			return ch, true
		}
	}
	return nil, false
}
