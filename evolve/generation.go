package evolve

// Scoring a generation: Kelk 2015, sections 4.2.6 and 4.2.7.
//
// Deviation: CORE builds and scores one member after the other. Here several
// mutants are built together and scored at the same time, but committed in
// order, so the outcome is CORE's.

import (
	"context"
	"iter"
	"math"
	"time"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/stream"

	"mendel/fitness"
	"mendel/mutate"
)

// evaluate scores the mutants of a plan, as many at a time as there are
// workers. Meanwhile the next batch of the plan is drawn and prepared. An error
// of drawing counts in the order of the mutants, like one of scoring.
func (s *search) evaluate(plan iter.Seq[planned]) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.running = ctx
	defer func() { s.running = s.ctx }()
	s.newsroom, s.holds = newNewsroom(), &holds{}
	if p := s.preparer(); p != nil {
		defer p.Release()
	}
	batches := make(chan []planned)
	var scoring conc.WaitGroup
	scoring.Go(func() {
		defer cancel() // a panic must not leave the plan waiting
		s.scoreAll(ctx, cancel, batches)
	})
	defer scoring.Wait()
	defer close(batches)
	s.draw(ctx, plan, batches)
}

// scoreAll scores what comes, in batches, and commits the scores.
func (s *search) scoreAll(ctx context.Context, cancel context.CancelFunc, batches <-chan []planned) {
	// With the stream's own limit one slow mutant would hold up the others behind
	// it: its queue is as long as its number of workers.
	ordered := stream.New().WithMaxGoroutines(s.Opening + s.Workers)
	defer ordered.Wait()
	free := make(chan struct{}, s.Workers)
	places := 0
	for batch := range batches {
		for _, next := range batch {
			place := places
			places++
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			ordered.Go(func() stream.Callback {
				defer func() { <-free }()
				r, err := fitness.Result{}, next.err
				if err == nil {
					r, err = s.score(ctx, next.mutant, place)
				}
				return func() {
					s.commit(ctx, cancel, next, r, err)
					s.holds.remove(place)
				}
			})
		}
	}
}

// score waits for a running Accept, and for one that is to come, and then asks the
// evaluator for the mutant in a place of the order.
func (s *search) score(ctx context.Context, m *mutate.Mutant, place int) (fitness.Result, error) {
	if err := s.pass(ctx, place); err != nil {
		return fitness.Result{}, err
	}
	r, err := s.evaluator.Evaluate(ctx, m)
	if err == nil && r.Score >= fitness.FullScore && len(m.Edits) > 0 && len(m.Flags) == 0 {
		held := s.holds // the next generation has others
		held.add(place)
		time.AfterFunc(acceptLong, func() {
			if held.has(place) {
				s.building.stop()
			}
		})
	}
	return r, err
}

// last is a place behind all others.
const last = math.MaxInt

func (s *search) pass(ctx context.Context, place int) error {
	if err := s.holds.wait(ctx, place); err != nil {
		return err
	}
	s.gate.RLock()
	defer s.gate.RUnlock()
	return ctx.Err()
}

// commit records a score. Commits come in the order of the plan, one at a
// time; those behind an accepted mutant or an error are forgotten.
func (s *search) commit(ctx context.Context, cancel context.CancelFunc, next planned, r fitness.Result, err error) {
	m := next.mutant
	if s.ended == Accepted || s.err != nil {
		return
	}
	if err != nil {
		s.fail(err)
		cancel()
		return
	}
	isOriginal := len(m.Edits) == 0
	s.ledger.add(m, r)
	if !isOriginal {
		s.sum += r.Score
		s.scored++
	}
	e := Event{Mean: s.sum / float64(max(1, s.scored)), Mutant: m, Urgent: next.urgent, Result: r}
	if next.added != nil {
		e.Operator = next.added.Operator
	}
	s.observe(e)
	if isOriginal {
		s.newsroom.add(nothing)
		return
	}
	v := unjudged
	if r.Score >= fitness.FullScore && ctx.Err() == nil {
		v = s.judge(ctx, m, r)
	}
	st := &state{mutant: m, result: r, rating: s.rate(r)}
	s.ledger.rank(Scored{m, r}, v, st.slope)
	s.newsroom.add(s.newsOf(st, v))
	if s.ended != "" || s.err != nil {
		cancel()
	}
}

// judge offers a mutant with a full score to Accept.
func (s *search) judge(ctx context.Context, m *mutate.Mutant, r fitness.Result) verdict {
	if s.Accept == nil {
		s.ended = Accepted
		return accepted
	}
	s.gate.Lock()
	defer s.gate.Unlock()
	defer time.AfterFunc(acceptLong, s.building.stop).Stop()
	ok, err := s.Accept(ctx, m, r)
	switch {
	case err != nil:
		s.fail(err)
		return unjudged
	case ok:
		s.ended = Accepted
		return accepted
	}
	return rejected
}

// fail records why the search cannot go on. After the end of ctx every error
// is its consequence.
func (s *search) fail(err error) {
	if s.ctx.Err() != nil {
		s.ended = Stopped
	} else {
		s.err = err
	}
}
