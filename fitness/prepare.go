package fitness

// Building in advance: several mutants together cost less than one by one.

import (
	"context"
	"slices"
	"sync"

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
		if source.Decides() {
			break
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
		if old, ok := s.prepared.put(m.Hash, built[i]); ok {
			s.discard(old)
		}
	}
	return nil
}

// Decides reports whether what passes has a full score by it, too.
func (s *CheckerSource) Decides() bool { return s.Off() == "" && s.believes() }

// Release removes what was prepared and not scored.
func (s *CheckerSource) Release() {
	for _, b := range s.prepared.clear() {
		s.discard(b)
	}
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

// Prepare builds mutants in one executable, for Score to use. What does not fit into it is
// built when it is scored. The error is ctx's: Score meets and judges any other.
func (s *noiseSource) Prepare(ctx context.Context, mutants []*mutate.Mutant) error {
	if len(mutants) == 0 {
		return ctx.Err()
	}
	sets := make([]map[string][]byte, len(mutants))
	for i, m := range mutants {
		sets[i] = m.Files
	}
	built := s.launcher.launchAll(ctx, sets)
	for i, p := range built {
		if p == nil {
			continue
		}
		if old, ok := s.prepared.put(mutants[i].Hash, p); ok {
			_ = old.Close() // the harness removes what is left of it
		}
	}
	return ctx.Err()
}

// Release removes what was prepared and not scored.
func (s *noiseSource) Release() {
	s.passed.clear() // the checker has judged them
	for _, p := range s.prepared.clear() {
		_ = p.Close() // the harness removes what is left of it
	}
}

// A shelf keeps what was built for mutants until it is used. The zero value is empty; it is
// safe for concurrent use.
type shelf[T any] struct {
	mu   sync.Mutex
	kept map[string]T // by the mutant's hash
}

// put keeps what was built; ok reports whether it replaces an old one.
func (s *shelf[T]) put(hash string, built T) (old T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = make(map[string]T)
	}
	old, ok = s.kept[hash]
	s.kept[hash] = built
	return old, ok
}

// take hands over what was built for a mutant.
func (s *shelf[T]) take(hash string) (built T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	built, ok = s.kept[hash]
	delete(s.kept, hash)
	return built, ok
}

// clear hands over all.
func (s *shelf[T]) clear() map[string]T {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.kept
	s.kept = nil
	return all
}
