package evolve

// Batches: the mutants of a generation are built together, some at a time,
// while those before are scored. Kelk 2015 compiles each by itself.

import (
	"context"
	"iter"
	"sync"
	"time"

	"mendel/mutate"
)

// Sizes of the batches of the opening: 2, 4, 16, and then 64. A fix among the first few
// mutants must not wait until all are built, and building one and building sixty cost
// nearly the same, where they are variants of functions. Later generations are built at
// once: the likeliest edits were tried.
const (
	firstBatch  = 2
	secondBatch = 2 * firstBatch
	lastBatch   = 64
)

// nextBatch is the size of the batch of the opening after one of a size.
func nextBatch(size int) int {
	if size < secondBatch {
		return secondBatch
	}
	return min(4*size, lastBatch)
}

// acceptLong is how long Accept may run beside a build. After that it is really
// validating something and needs the machine. Guessed.
const acceptLong = 100 * time.Millisecond

// A planned mutant, or the error that kept it from being planned or prepared.
type planned struct {
	mutant *mutate.Mutant
	added  *choice // the edit that was added; nil when none was
	urgent bool    // the edit is the only one, and was urgent
	err    error
}

// draw draws the plan, batch by batch.
func (s *search) draw(ctx context.Context, plan iter.Seq[planned], batches chan<- []planned) {
	size := 1
	if s.preparer() != nil {
		size = firstBatch
		if s.generation > 1 {
			size = lastBatch
		}
	}
	check := checkpoints{}
	if s.mayEndEarly() {
		check = newCheckpoints()
	}
	var batch []planned
	send := func() bool {
		s.prepare(ctx, batch)
		select {
		case batches <- batch:
		case <-ctx.Done():
			return false
		}
		batch = nil
		if size > 1 {
			size = nextBatch(size)
		}
		return true
	}
	for next := range plan {
		batch = append(batch, next)
		if next.err != nil || len(batch) == size && !send() {
			break
		}
		if n, due := check.passed(); due && s.endsEarly(ctx, n) {
			break
		}
	}
	if len(batch) > 0 && ctx.Err() == nil {
		send()
	}
}

// preparer is the evaluator if it can prepare mutants and is to do so, else nil.
func (s *search) preparer() Preparer {
	p, ok := s.evaluator.(Preparer)
	if !ok || s.NoBatch {
		return nil
	}
	return p
}

// prepare builds a batch. It waits while Accept runs or is sure to come. A build that Accept stops
// is made again afterwards.
func (s *search) prepare(ctx context.Context, batch []planned) {
	p := s.preparer()
	if p == nil {
		return
	}
	var mutants []*mutate.Mutant
	for _, next := range batch {
		if next.err == nil {
			mutants = append(mutants, next.mutant)
		}
	}
	for s.pass(ctx, last) == nil {
		building := s.building.start(ctx)
		err := p.Prepare(building, mutants)
		stopped := building.Err() != nil && ctx.Err() == nil
		s.building.stop()
		if err != nil && stopped {
			continue
		}
		if err != nil && batch[0].err == nil {
			batch[0].err = err
		}
		return
	}
}

// A build can be stopped by another goroutine.
type build struct {
	mu     sync.Mutex
	cancel context.CancelFunc // nil before the first
}

// start returns the context of a build that begins.
func (b *build) start(ctx context.Context) context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	ctx, b.cancel = context.WithCancel(ctx)
	return ctx
}

// stop ends the build that is under way, if there is one.
func (b *build) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cancel != nil {
		b.cancel()
	}
}
