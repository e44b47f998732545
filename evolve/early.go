package evolve

// The first generation may end early. Kelk 2015 knows of no such thing.
//
// A mutant that ends one of several failures, or that only confirmation refutes,
// tells by its own failures where to go on (told.go). In a slow program the rest of
// the opening would take minutes until then. So the first generation has no more
// batches once a mutant has told that, and none has passed that may be a fix. What
// it leaves of the opening is tried later. It ends as well when a mutant that may be a
// fix, though not one to be glad of, has waited long enough for a better one.
//
// Whether it ends is decided before a batch is drawn, by the scores of all batches
// but the last one sent. So it does not depend on how fast scores arrive.

import (
	"context"
	"iter"
	"math/rand"
	"slices"
	"sync"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// toldFirst is how often a mutant is mutated first where its failures are before
// chance decides about that. Guessed.
const toldFirst = 2

// A news is what a score says about how to go on.
type news int

const (
	nothing news = iota
	tells        // the mutant's failures say where to go on
	waits        // it may be a fix, which is judged at the end of the generation
	passes       // it may be a fix
)

// waitedFor is after how many further mutants one that waits ends the generation. Guessed.
const waitedFor = 8

// A newsroom collects what the scores of a generation say, in the order of the
// plan. It is safe for concurrent use.
type newsroom struct {
	mu      sync.Mutex
	all     []news
	changed chan struct{} // closed with the next news
}

func newNewsroom() *newsroom { return &newsroom{changed: make(chan struct{})} }

// add takes down what one more score says.
func (r *newsroom) add(n news) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, n)
	close(r.changed)
	r.changed = make(chan struct{})
}

// first waits for the first n scores and returns what they say; fewer if ctx ends.
func (r *newsroom) first(ctx context.Context, n int) []news {
	for {
		r.mu.Lock()
		all, changed := r.all, r.changed
		r.mu.Unlock()
		if len(all) >= n {
			return all[:n:n]
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// checkpoints are the numbers of mutants after which a generation may end early:
// where its batches end, the first two left out, because most bugs fall to one of
// the likeliest edits. The zero value has none.
type checkpoints struct {
	drawn  int
	last   int // the last one that was passed
	next   int // 0: there is none
	length int // of the next but one
}

func newCheckpoints() checkpoints {
	return checkpoints{next: firstBatch, length: secondBatch}
}

// passed counts a mutant that was drawn. It reports whether a checkpoint is
// reached, and how many mutants there were at the one before.
func (c *checkpoints) passed() (before int, due bool) {
	if c.drawn++; c.drawn != c.next {
		return 0, false
	}
	before, c.last = c.last, c.next
	c.next += c.length
	c.length = nextBatch(c.length)
	return before, before > firstBatch
}

// mayEndEarly reports whether the present generation may.
func (s *search) mayEndEarly() bool {
	return s.generation == 1 && !s.NoSlope && !s.NoOpening && !s.Random && !s.original.pending
}

// endsEarly reports whether no further batch is to be drawn, after n mutants whose
// scores count.
func (s *search) endsEarly(ctx context.Context, n int) bool {
	ends := false
	for i, what := range s.newsroom.first(ctx, n) {
		switch what {
		case passes:
			return false
		case tells:
			ends = true
		case waits:
			ends = ends || n-i > waitedFor
		}
	}
	return ends
}

// newsOf is what a score says.
func (s *search) newsOf(st *state, v verdict) news {
	refuted := v == rejected && s.Refuted != nil && len(s.Refuted(st.mutant)) > 0
	switch {
	case refuted, v == unjudged && s.leads(st):
		return tells
	case v == rejected && s.Waits != nil && s.Waits(st.mutant):
		return waits
	case v != unjudged:
		return passes
	}
	return nothing
}

// leads reports whether a state is better than the original and fails in a way
// that tells where to go on.
func (s *search) leads(st *state) bool {
	return len(st.result.Samples) > 0 && st.compare(s.original.rating) > 0
}

// firstToMutate orders members: those that a run refuted after a full score, then
// the best.
func firstToMutate(a, b *member) int {
	switch {
	case a.now.refuted == b.now.refuted:
		return bestFirst(a, b)
	case a.now.refuted:
		return -1
	}
	return 1
}

// toldToAdd are those of told that add synchronisation, since what still fails lacks some, and those of operators
// that are likely to mend what it fails by.
func (s *search) toldToAdd(base *state, rng *rand.Rand) iter.Seq[proposal] {
	return func(yield func(proposal) bool) {
		for p := range s.told(base, rng) {
			if op := s.space.Operator(p.added.Operator); op != nil && (op.Adds || likely(op, base.result.Samples)) && !yield(p) {
				return
			}
		}
	}
}

// likely reports whether an operator is likelier than others to mend one of some failures.
func likely(op *mutate.Operator, failures []evidence.Failure) bool {
	return slices.ContainsFunc(failures, func(f evidence.Failure) bool { return op.Prior[f.Kind] > 1 })
}

// tell mutates a member where its failures are, if it leads anywhere and that was
// not tried often; false if it does not.
func (m *member) tell(rng *rand.Rand) bool {
	s := m.search
	if s.NoSlope || m.now.pending || !m.now.refuted && !s.leads(m.now) || s.memory.told[m.now.mutant.Hash] >= toldFirst {
		return false
	}
	base := m.now
	s.memory.told[base.mutant.Hash]++
	child, err := s.newOf(s.toldToAdd(base, rng))
	if !child.fresh && err == nil {
		return false
	}
	m.become(base, child, err)
	return true
}
