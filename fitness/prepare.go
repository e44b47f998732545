package fitness

// Building in advance: several mutants together cost less than one by one.

import (
	"context"
	"slices"

	"mendel/checker"
	"mendel/mutate"
)

// A Program is a built mutant that can be explored; *checker.Binary is one.
type Program interface {
	// Check explores it; see Checker.
	Check(ctx context.Context, s checker.Search) (*checker.Report, error)
	Close() error
}

var _ Program = (*checker.Binary)(nil)

// A Built is one of several programs that were built together.
type Built struct {
	Program Program // nil when Err is set
	Err     error   // why it could not be built; see Checker
}

// Prepare builds mutants that are going to be evaluated. What it does not build
// is built when it is scored. What is not scored is kept until Release. The
// error is ctx's.
func (e *Evaluator) Prepare(ctx context.Context, mutants []*mutate.Mutant) error {
	mutants = slices.DeleteFunc(slices.Clone(mutants), func(m *mutate.Mutant) bool { return e.needsNoBuild(ctx, m) })
	for _, source := range e.sources {
		if err := source.Prepare(ctx, mutants); err != nil {
			return err
		}
	}
	return nil
}

// needsNoBuild reports whether a mutant was evaluated, here or before, is being
// evaluated, or is not going to be run. Evaluate meets any error again.
func (e *Evaluator) needsNoBuild(ctx context.Context, m *mutate.Mutant) bool {
	e.mu.Lock()
	known := e.calls[m.Hash] != nil
	e.mu.Unlock()
	if !known && e.memory != nil {
		_, known = e.memory.Recall(m.Hash)
	}
	if known {
		return true
	}
	why, err := e.forbidden(ctx, m)
	return why != "" || err != nil
}

// Release removes what was prepared and not evaluated.
func (e *Evaluator) Release() {
	for _, source := range e.sources {
		source.Release()
	}
}

// Prepare builds mutants together, for Score to use. The error is ctx's: Score
// meets and judges any other.
func (s *CheckerSource) Prepare(ctx context.Context, mutants []*mutate.Mutant) error {
	if s.o.BuildAll == nil || len(mutants) == 0 || s.Off() != "" {
		return ctx.Err()
	}
	sets := make([]map[string][]byte, len(mutants))
	for i, m := range mutants {
		sets[i] = m.Files
	}
	built, err := s.o.BuildAll(ctx, sets)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		for _, b := range built {
			s.discard(b)
		}
		if cerr := ctx.Err(); cerr != nil {
			return cerr
		}
		s.o.Log("building %d mutants together: %v", len(mutants), err)
		return nil
	}
	for i, m := range mutants {
		s.discard(s.put(m.Hash, built[i]))
	}
	return nil
}

// Release removes what was prepared and not scored.
func (s *CheckerSource) Release() {
	s.mu.Lock()
	left := s.prepared
	s.prepared = make(map[string]Built)
	s.mu.Unlock()
	for _, b := range left {
		s.discard(b)
	}
}

// put keeps what was built and returns what it replaces.
func (s *CheckerSource) put(hash string, b Built) (old Built) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old = s.prepared[hash]
	s.prepared[hash] = b
	return old
}

// take hands over what was built for a mutant.
func (s *CheckerSource) take(hash string) (b Built, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok = s.prepared[hash]
	delete(s.prepared, hash)
	return b, ok
}

// discard closes a program that nobody explores.
func (s *CheckerSource) discard(b Built) {
	if b.Program == nil {
		return
	}
	if err := b.Program.Close(); err != nil {
		s.o.Log("%v", err)
	}
}
