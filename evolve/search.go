package evolve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"sync"

	"github.com/MaxHalford/eaopt"

	"mendel/fitness"
)

// A search is one call of Search. Two goroutines share it: the planner draws
// mutations, the committer records scores. Each field says whose it is while a
// generation runs. Between generations there is one goroutine.
type search struct {
	Options
	space     Space
	evaluator Evaluator

	// ctx is the caller's. eaopt's interfaces take no context, so it is kept here.
	ctx context.Context
	// running is derived from ctx and ends with the generation, or as soon as its
	// outcome is known. Between generations it is ctx.
	running context.Context

	generation int            // both read it; 1 is the first
	catalogue  *catalogue     // planner; of this generation
	weights    *weights       // planner reads; changed between generations
	credits    *credits       // likewise
	memory     *memory        // planner
	queue      []*choice      // planner: the rest of the opening, what is urgent first
	urgent     map[string]int // planner: by the identity of what is urgent: its turn
	drained    int            // planner: mutants, in memory's order, that have no mutation left to try
	stuck      bool           // the population no longer improves, but there are edits that were not tried
	original   *state
	leaders    []*state // planner: what members that are no better than the original may go on from

	building build        // of a batch; Accept may stop it
	holds    *holds       // of this generation
	newsroom *newsroom    // what the scores of this generation say
	gate     sync.RWMutex // held for writing while Accept runs; scoring passes it when it starts
	ledger   *ledger      // committer
	sum      float64      // committer: of the scores of this generation
	scored   int          // committer: how many those are
	history  []progress   // of complete generations

	ended Ended // committer
	err   error // committer: what could not be run; never ctx's
}

func newSearch(ctx context.Context, s Space, eval Evaluator, o Options) *search {
	return &search{
		Options:   o,
		space:     s,
		evaluator: eval,
		ctx:       ctx,
		running:   ctx,
		weights:   newWeights(s, o),
		credits:   newCredits(),
		memory:    newMemory(),
		ledger:    newLedger(),
	}
}

// run searches; the error is ctx's or of what could not be run.
func (s *search) run() error {
	if err := s.evolve(); err != nil {
		s.ended = Stopped
		return err
	}
	if s.ended == "" && s.ctx.Err() != nil {
		s.ended = Stopped
	}
	switch s.ended {
	case Stopped:
		return s.ctx.Err()
	case "":
		s.ended = OutOfGenerations
	}
	return nil
}

func (s *search) evolve() error {
	members, err := s.first()
	if err != nil || s.ended != "" {
		return err
	}
	if len(members) == 0 {
		s.ended = NoEdits
		return nil
	}
	ga, err := eaopt.GAConfig{
		NPops:        1,
		PopSize:      uint(len(members)),
		NGenerations: uint(s.Generations), // the first is not eaopt's; over ends the last in time
		HofSize:      1,
		Model:        model{s},
		EarlyStop:    func(*eaopt.GA) bool { return s.over() },
		RNG:          s.stream(everybody),
	}.NewGA()
	if err != nil {
		return fmt.Errorf("setting up the search: %w", err)
	}
	next := 0
	return ga.Minimize(func(*rand.Rand) eaopt.Genome {
		m := members[next]
		next++
		return m
	})
}

// over reports whether no other generation is to begin.
func (s *search) over() bool {
	return s.ended != "" || s.generation >= s.Generations || s.ctx.Err() != nil
}

func (s *search) result() *Result {
	return &Result{
		Ended:       s.ended,
		Best:        s.ledger.best(),
		Generations: s.generation,
		Evaluations: s.ledger.evaluations,
	}
}

// begin starts a generation.
func (s *search) begin() {
	s.generation++
	s.sum, s.scored = 0, 0
	s.list()
	s.queue, s.urgent = nil, make(map[string]int)
	if s.NoOpening || s.Random {
		return
	}
	for ch := range s.catalogue.opening(func(operator string) float64 { return s.weights.of(operator, s.Kind) }) {
		s.queue = append(s.queue, ch)
		if s.Urgent != nil {
			if turn := s.Urgent(*ch.Edit); turn > 0 {
				s.urgent[ch.id] = turn
			}
		}
	}
	turn := func(ch *choice) int { return cmp.Or(s.urgent[ch.id], math.MaxInt) }
	slices.SortStableFunc(s.queue, func(a, b *choice) int { return cmp.Compare(turn(a), turn(b)) })
}

// list reads the edits that the space has now.
func (s *search) list() {
	before := s.catalogue
	s.catalogue = before.refresh(s.space.Edits(), !s.NoComposites, s.weights.name)
	if s.catalogue != before {
		s.drained = 0
	}
}

// finish ends a complete generation: it gives the members their scores, updates
// weights and credits, and decides whether the search goes on.
func (s *search) finish(members []*member) error {
	var mean, best rating
	for _, m := range members {
		m.settle(s)
		mean = mean.plus(m.now.rating)
		if m.now.compare(best) > 0 {
			best = m.now.rating
		}
	}
	mean = mean.over(len(members))
	done, err := s.endGeneration(mean.score)
	for _, m := range members {
		s.demote(m)
		if m.fresh && m.added != nil {
			s.weights.record(s.generation, m.added.operator, m.before, m.now)
			s.credits.record(m.added.id, m.before, m.now)
		}
		if m.now.compare(mean) < 0 {
			m.weak++
		} else {
			m.weak = 0
		}
	}
	s.weights.roll(s.generation)
	s.history = append(s.history, progress{mean, best})
	exhausted, widened := false, false
	if err == nil && !done {
		if widened = s.widen(); !widened {
			exhausted, err = s.exhausted()
		}
	}
	switch {
	case err != nil:
		s.fail(err)
		return s.err
	case exhausted:
		s.ended = Exhausted
		return nil
	}
	s.stuck = false
	if converged(s.history, s.Options) {
		if s.stuck = widened || s.untried(); !s.stuck {
			s.ended = Converged
			return nil
		}
	}
	if done {
		s.ended = Enough
		return nil
	}
	s.replaceWeak(members)
	return nil
}

// demote makes a mutant that turned out to be no fix worth what the original is.
// It passes what scores it, and so does nearly all that it is mutated to: a
// search that goes on from it finds the same again.
func (s *search) demote(m *member) {
	if m.now.score < fitness.FullScore || s.Rejected == nil || !s.Rejected(m.now.mutant) {
		return
	}
	demoted := &state{mutant: m.now.mutant, result: m.now.result, rating: s.original.rating}
	if s.Refuted != nil {
		demoted.result.Samples = s.Refuted(m.now.mutant)
		demoted.refuted = len(demoted.result.Samples) > 0
	}
	m.now = demoted
}

// endGeneration passes the last event of a generation on. done is true when
// the caller ends the search.
func (s *search) endGeneration(mean float64) (done bool, err error) {
	e := s.observe(Event{Mean: mean, Done: true})
	if s.EndGeneration == nil {
		return false, nil
	}
	return s.EndGeneration(s.ctx, e)
}

// observe completes an event and passes it on.
func (s *search) observe(e Event) Event {
	e.Generation = s.generation
	e.Evaluations = s.ledger.evaluations
	e.Best = s.ledger.top
	if s.original != nil && !s.original.pending {
		e.Original = s.original.result.Score
	}
	e.Edits = len(s.catalogue.edits)
	if s.Observe != nil {
		s.Observe(e)
	}
	return e
}
