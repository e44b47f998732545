package evolve

// Ahead: while a batch is built, mutants are made of the single edits that come next. They
// go along in a later executable that has to be built anyway, since one with many variants
// costs little more than one with few: when their turn comes they need no build. Nothing
// else depends on them: a search tries the same mutants in the same order without.

import (
	"context"
	"errors"
	"sync"

	"mendel/internal/rewrite/schema"
	"mendel/mutate"
)

// An ahead keeps mutants of single edits that were not planned yet. The zero value is
// empty. It is the planner's; only make runs beside it.
type ahead struct {
	mu   sync.Mutex
	made map[string]*early // by the identity of the edit
}

// An early mutant was made before its turn.
type early struct {
	mutant *mutate.Mutant // nil: it is refused
	err    error          // then why
	built  bool           // it was in an executable
}

// forget forgets all: the space has changed.
func (a *ahead) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.made = nil
}

// get is what was made of a single edit.
func (a *ahead) get(id string) (e *early, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e, ok = a.made[id]
	return e, ok
}

func (a *ahead) put(id string, e *early) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.made == nil {
		a.made = make(map[string]*early)
	}
	a.made[id] = e
}

// mutant is the space's, unless it was made before.
func (s *search) mutant(edits []mutate.Edit) (*mutate.Mutant, error) {
	if len(edits) == 1 {
		if e, ok := s.ahead.get(setID(edits)); ok {
			return e.mutant, e.err
		}
	}
	return s.space.Mutant(s.running, edits)
}

// look begins to make mutants of the edits that come next, until end is called or there are
// enough for an executable. The planner waits meanwhile.
func (s *search) look(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	looking.Go(func() {
		ready := 0
		for _, ch := range s.queue {
			if ready >= schema.MaxMembers || ctx.Err() != nil {
				return
			}
			if s.memory.alone(ch) {
				continue
			}
			e, ok := s.ahead.get(ch.id)
			if !ok {
				m, err := s.space.Mutant(ctx, []mutate.Edit{*ch.Edit})
				if refusal := (*mutate.Refusal)(nil); err != nil && !errors.As(err, &refusal) {
					return // the planner meets it again
				}
				e = &early{mutant: m, err: err}
				s.ahead.put(ch.id, e)
			}
			if e.mutant != nil && !e.built {
				ready++
			}
		}
	})
	return func() { cancel(); looking.Wait() }
}

// along are the mutants that may go with some that have to be built, in the order of their
// turns.
func (s *search) along(mutants []*mutate.Mutant) (all []*early) {
	there := make(map[string]bool)
	for _, m := range mutants {
		there[m.Hash] = true
	}
	for _, ch := range s.queue {
		if len(mutants)+len(all) >= schema.MaxMembers {
			break
		}
		e, ok := s.ahead.get(ch.id)
		if !ok || e.mutant == nil || e.built || there[e.mutant.Hash] || s.memory.planned[e.mutant.Hash] {
			continue
		}
		there[e.mutant.Hash] = true
		all = append(all, e)
	}
	return all
}
