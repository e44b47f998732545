package evolve

// Mutation: Kelk 2015, sections 4.2.4 and 4.2.5.
//
// As there, each member is mutated once in each generation. An operator is drawn
// by weight, then an instance of it. What is no valid program is rolled back, and
// another is drawn. When none is left, the member returns to its previous
// generation with fitness 0.
//
// Deviations:
//
//   - CORE's mutations pile up on the program's text. Here a mutant is a set of
//     edits of the original, so one can also be exchanged or taken away.
//   - CORE always goes on from the mutated program, even one much worse. Here a
//     member whose last mutation lowered its score goes back, three times in
//     four, to what it was, and is mutated from there. A neutral mutation is
//     always kept.
//   - Instances are not equally likely. Places near the evidence are likelier
//     (catalogue.go), and so are edits that improved some member (credit.go),
//     edits on a lock that the member already uses and edits that touch the same
//     variables: the lottery subject of the thesis (section 7.4) needs three
//     edits that agree on their lock.
//   - A member that is no better than the original probes a single edit now and
//     then: one that was not tried alone yet (opening.go). If that is no better
//     either, the member is again what it was.
//   - What is better includes the slope (rating.go). A member that is no better
//     than the original goes on, now and then, from a good member instead: it need
//     not wait for the next replacement, which real programs never come to.
//   - Half of the additions are of edits where the member's own failures are
//     (told.go), if they name any. A member that leads somewhere by them goes there
//     first (early.go).
//   - Sources planned before are taken only if no new one is found. A generation
//     without a new one tries what is left over elsewhere (exhaustion.go).

import (
	"iter"
	"math/rand"
	"slices"

	"mendel/mutate"
)

// Of these, sameLock, nextChance, probeChance and followChance were chosen with BenchmarkSearch, whose
// landscapes are invented; the others are guessed.
const (
	goBackChance = 0.75 // to undo a mutation that lowered the score
	probeChance  = 0.25 // that a member no better than the original probes a single edit
	followChance = 0.5  // that such a member goes on from one that is better
	probeBuilds  = 8    // of mutants, for one probe
	nextChance   = 0.33 // that an addition takes the next edit of the opening instead of drawing one
	toldChance   = 0.5  // that an addition is where the mutant's own failures are
	maxBuilds    = 32   // of mutants, for one mutation other than a probe
	sameLock     = 8    // how much likelier an edit is on a lock the member uses
	sameVars     = 2    // how much likelier an edit is on variables the member's edits touch
)

// A proposal is a set of edits that a mutation would give.
type proposal struct {
	edits []mutate.Edit
	added *choice // the edit that was added; nil when one was taken out
}

// Mutate makes one mutation of the member. Its score is not known until the
// member is settled.
func (m *member) Mutate(rng *rand.Rand) {
	s := m.search
	if s.Random {
		m.redraw(rng)
		return
	}
	m.endProbe()
	if m.tell(rng) || m.probe(rng) {
		return
	}
	base := m.now
	if m.before != nil && m.now.worse(m.before) && rng.Float64() < goBackChance {
		base = m.before
	}
	base = s.follow(base, rng)
	child, err := s.newOf(s.proposals(base, rng))
	m.become(base, child, err)
	if child.mutant == nil && err == nil {
		previous := m.before
		if previous == nil {
			previous = base
		}
		m.now = &state{mutant: previous.mutant, result: previous.result}
	}
}

// follow is where a member goes on from: from the state itself or, now and then,
// if that is no better than the original, from one that is.
func (s *search) follow(base *state, rng *rand.Rand) *state {
	if len(s.leaders) == 0 || base.pending || base.compare(s.original.rating) > 0 || rng.Float64() >= followChance {
		return base
	}
	return s.leaders[rng.Intn(len(s.leaders))]
}

// become makes the member an offspring of a state, if there is one.
func (m *member) become(base *state, child offspring, err error) {
	m.added, m.fresh, m.err = child.added, child.fresh, err
	if child.fresh {
		m.search.memory.plan(child.mutant, child.added)
	}
	if child.mutant != nil {
		m.before, m.now = base, &state{mutant: child.mutant, pending: true}
	}
}

// startProbe makes the member an offspring of the original, and saves what it
// was.
func (m *member) startProbe(child offspring, err error) {
	if child.mutant != nil && m.now != m.search.original {
		m.saved = &saved{m.now, m.before}
	}
	m.become(m.search.original, child, err)
}

// probe makes the member the original with the next edit that was not tried
// alone, if that edit is urgent or the member is unlikely to lead anywhere.
func (m *member) probe(rng *rand.Rand) bool {
	s := m.search
	weak := !m.now.pending && m.now.compare(s.original.rating) <= 0 && rng.Float64() < probeChance
	child, err := s.single(probeBuilds, func(ch *choice) bool { return weak || s.stuck || s.urgent[ch.id] > 0 })
	if !child.fresh && err == nil {
		return false
	}
	m.startProbe(child, err)
	return true
}

// endProbe makes the member what it was, unless the probe is better.
func (m *member) endProbe() {
	if m.saved != nil && m.now.compare(m.saved.now.rating) <= 0 {
		m.now, m.before = m.saved.now, m.saved.before
	}
	m.saved = nil
}

// An offspring is the outcome of drawing mutations.
type offspring struct {
	mutant *mutate.Mutant // nil when every one was refused
	added  *choice        // as in a proposal
	fresh  bool           // the mutant was not planned before
	all    bool           // every mutation was drawn
}

// newOf makes a mutant of the first proposal whose source was not planned before
// (fresh), else of the first whose source was.
func (s *search) newOf(proposals iter.Seq[proposal]) (offspring, error) {
	var second proposal // the first that gives a source planned before
	all, builds := true, 0
	for p := range proposals {
		set := setID(p.edits)
		if !s.memory.tried(set) {
			if builds == maxBuilds {
				all = false
				break
			}
			builds++
			m, err := s.build(p.edits)
			if err != nil {
				return offspring{}, err
			}
			if m != nil && !s.memory.planned[m.Hash] {
				return offspring{mutant: m, added: p.added, fresh: true}, nil
			}
		}
		if hash := s.memory.sets[set]; second.edits == nil && hash != "" && hash != s.original.mutant.Hash {
			second = p
		}
	}
	if second.edits == nil {
		return offspring{all: all}, nil
	}
	m, err := s.build(second.edits)
	return offspring{mutant: m, added: second.added, all: all}, err
}

// proposals draws mutations of a state until there are no more.
func (s *search) proposals(base *state, rng *rand.Rand) iter.Seq[proposal] {
	edits := base.mutant.Edits
	moves := []func(*state, *rand.Rand) iter.Seq[proposal]{s.additions, s.exchanges, s.removals}
	chances := []float64{6, 0, 0} // guessed, as are those below
	if n := len(edits); n > 0 {
		// A set grows at first; beyond six edits or so it shrinks as often. An only
		// edit is not taken out: that would give the original.
		chances = []float64{6, 3, float64(n - 1)}
	}
	return func(yield func(proposal) bool) {
		order := newSampler(chances)
		for i, ok := order.draw(rng); ok; i, ok = order.draw(rng) {
			for p := range moves[i](base, rng) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// additions are the state's edits and one more.
func (s *search) additions(base *state, rng *rand.Rand) iter.Seq[proposal] {
	edits := base.mutant.Edits
	return func(yield func(proposal) bool) {
		if !s.NoSlope && rng.Float64() < toldChance {
			for p := range s.told(base, rng) {
				if !yield(p) {
					return
				}
			}
		}
		fit := s.fitting(edits)
		if rng.Float64() < nextChance {
			ch, ok := s.newcomer()
			if ok && !fit.excluded[ch.id] && !yield(proposal{with(edits, ch), ch}) {
				return
			}
		}
		kind := dominant(base.result, s.Kind)
		operators := make([]float64, len(s.catalogue.operators))
		samplers := make([]*sampler, len(operators))
		for i, op := range s.catalogue.operators {
			samplers[i] = newSampler(fit.weigh(s.catalogue.by[op]))
			if samplers[i].left > 0 {
				operators[i] = s.weights.of(op, kind)
			}
		}
		for {
			i, ok := pick(operators, rng)
			if !ok {
				return
			}
			at, _ := samplers[i].draw(rng)
			if samplers[i].left == 0 {
				operators[i] = 0
			}
			ch := s.catalogue.by[s.catalogue.operators[i]][at]
			if !yield(proposal{with(edits, ch), ch}) {
				return
			}
		}
	}
}

// exchanges are the state's edits with one replaced by a sibling: the same
// operator at the same place with another lock or span, or another operator there.
func (s *search) exchanges(base *state, rng *rand.Rand) iter.Seq[proposal] {
	edits := base.mutant.Edits
	return func(yield func(proposal) bool) {
		kind := dominant(base.result, s.Kind)
		for _, i := range rng.Perm(len(edits)) {
			rest := without(edits, i)
			siblings := s.catalogue.at[siteOf(&edits[i])]
			chances := s.fitting(edits).against(rest).weigh(siblings)
			for j, ch := range siblings {
				chances[j] *= s.weights.of(ch.operator, kind)
			}
			drawn := newSampler(chances)
			for j, ok := drawn.draw(rng); ok; j, ok = drawn.draw(rng) {
				if !yield(proposal{with(rest, siblings[j]), siblings[j]}) {
					return
				}
			}
		}
	}
}

// removals are the state's edits without one of them.
func (s *search) removals(base *state, rng *rand.Rand) iter.Seq[proposal] {
	edits := base.mutant.Edits
	return func(yield func(proposal) bool) {
		for _, i := range rng.Perm(len(edits)) {
			if !yield(proposal{edits: without(edits, i)}) {
				return
			}
		}
	}
}

// fitting weighs edits by how well they go with a set of edits.
type fitting struct {
	credits  *credits
	excluded map[string]bool // those in the set
	locks    map[string]bool // keys of the locks the set uses
	vars     map[string]bool // names of the variables it touches
}

func (s *search) fitting(edits []mutate.Edit) *fitting {
	f := &fitting{credits: s.credits, excluded: make(map[string]bool)}
	for i := range edits {
		f.excluded[edits[i].Key().String()] = true
	}
	return f.against(edits)
}

// against weighs edits by another set than the one that excludes them.
func (f *fitting) against(edits []mutate.Edit) *fitting {
	f.locks, f.vars = make(map[string]bool), make(map[string]bool)
	for i := range edits {
		if l := edits[i].Lock; l != nil {
			f.locks[l.Key] = true
		}
		for _, v := range edits[i].Vars {
			f.vars[v] = true
		}
	}
	return f
}

// weigh returns the chances of choices; 0 for those in the set.
func (f *fitting) weigh(choices []*choice) []float64 {
	weights := make([]float64, len(choices))
	for i, ch := range choices {
		if f.excluded[ch.id] || len(ch.Parts) > 0 && !slices.ContainsFunc(ch.Parts, func(p mutate.Edit) bool { return !f.excluded[p.Key().String()] }) {
			continue
		}
		weights[i] = ch.weight * f.credits.of(ch.id)
		switch {
		case ch.Lock != nil && f.locks[ch.Lock.Key]:
			weights[i] *= sameLock
		case slices.ContainsFunc(ch.Vars, func(v string) bool { return f.vars[v] }):
			weights[i] *= sameVars
		}
	}
	return weights
}

func with(edits []mutate.Edit, ch *choice) []mutate.Edit {
	return append(slices.Clip(slices.Clone(edits)), *ch.Edit)
}

func without(edits []mutate.Edit, i int) []mutate.Edit {
	return slices.Delete(slices.Clone(edits), i, i+1)
}
