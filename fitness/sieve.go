package fitness

import (
	"context"

	"mendel/mutate"
)

// A sieve asks noise before other sources: where the model checker does not see the
// original fail, it explores all schedules that it may for nearly every mutant, and in
// vain; and where executions are long, a mutant would take all the time that it may. A
// noised run refutes most of them in a moment. What passes goes on to the sources
// after it, and what noise has found counts when it is asked last.
type sieve struct {
	stateless
	noise *noiseSource
}

var _ Source = (*sieve)(nil)

// Score judges what noise refutes.
func (s *sieve) Score(ctx context.Context, m *mutate.Mutant) (Record, bool, error) {
	r, ok, err := s.noise.Score(ctx, m)
	if err != nil || !ok || r.Result.Score < FullScore {
		return r, ok, err
	}
	s.noise.passed.put(m.Hash, r)
	return Record{}, false, nil
}

// Prepare builds mutants for noise.
func (s *sieve) Prepare(ctx context.Context, mutants []*mutate.Mutant) error {
	return s.noise.Prepare(ctx, mutants)
}

// Decides reports that most mutants come no further.
func (s *sieve) Decides() bool { return true }
