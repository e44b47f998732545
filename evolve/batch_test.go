package evolve

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"mendel/fitness"
	"mendel/mutate"
)

// A fakeBuilder is a fakeEvaluator that prepares mutants.
type fakeBuilder struct {
	*fakeEvaluator
	err  func(batch int) error
	wait func(ctx context.Context, batch int) error // before anything is ready

	mu       sync.Mutex
	batches  [][]string      // hashes
	ready    map[string]bool // by hash
	missed   int             // evaluations of what had not been prepared
	releases int
}

func (b *fakeBuilder) Prepare(ctx context.Context, mutants []*mutate.Mutant) error {
	var hashes []string
	for _, m := range mutants {
		hashes = append(hashes, m.Hash)
	}
	b.mu.Lock()
	b.batches = append(b.batches, hashes)
	batch := len(b.batches)
	b.mu.Unlock()
	if b.wait != nil {
		if err := b.wait(ctx, batch); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ready == nil {
		b.ready = make(map[string]bool)
	}
	for _, hash := range hashes {
		b.ready[hash] = true
	}
	if b.err != nil {
		return b.err(len(b.batches))
	}
	return ctx.Err()
}

func (b *fakeBuilder) Release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.releases++
	clear(b.ready)
}

func (b *fakeBuilder) Evaluate(ctx context.Context, m *mutate.Mutant) (fitness.Result, error) {
	b.mu.Lock()
	if !b.ready[m.Hash] {
		b.missed++
	}
	b.mu.Unlock()
	return b.fakeEvaluator.Evaluate(ctx, m)
}

// Mutants are prepared before they are scored, in batches that grow in the opening; the
// outcome is that of a search without batches.
func TestBatches(t *testing.T) {
	search := func(noBatch bool) (*fakeBuilder, *Result) {
		b := &fakeBuilder{fakeEvaluator: flat(never)}
		r, err := Search(context.Background(), grid(20, operators, 1), b, Options{
			Population: 25, Generations: 3, Workers: 2, Seed: 7, NoBatch: noBatch, Original: &fitness.Result{Score: 400},
		})
		if err != nil {
			t.Fatal(err)
		}
		return b, r
	}
	b, r := search(false)
	if b.missed > 0 || b.releases != 3 {
		t.Errorf("%d mutants were not prepared; %d releases in 3 generations", b.missed, b.releases)
	}
	var sizes []int
	for _, batch := range b.batches {
		sizes = append(sizes, len(batch))
	}
	if want := []int{2, 4, 16, 3, 25, 25}; !slices.Equal(sizes, want) {
		t.Errorf("batches of %v mutants, want %v in three generations", sizes, want)
	}
	single, same := search(true)
	if len(single.batches) > 0 || single.releases > 0 {
		t.Errorf("without batches %d were prepared", len(single.batches))
	}
	if !slices.Equal(slices.Sorted(maps.Keys(b.calls)), slices.Sorted(maps.Keys(single.calls))) || r.Evaluations != same.Evaluations {
		t.Error("batches change what is tried")
	}
}

// The next batch is prepared while the last one is scored.
func TestPreparedAhead(t *testing.T) {
	b := &fakeBuilder{fakeEvaluator: flat(never)}
	second := make(chan struct{})
	b.err = func(batch int) error {
		if batch == 2 {
			close(second)
		}
		return nil
	}
	b.before = func(context.Context, *mutate.Mutant) error {
		<-second // hangs if the second batch waits for the first
		return nil
	}
	if _, err := Search(context.Background(), grid(20, operators, 1), b, Options{Generations: 1, Workers: 1}); err != nil {
		t.Fatal(err)
	}
}

// While Accept runs no batch is begun either.
func TestNothingIsPreparedWhileAcceptRuns(t *testing.T) {
	b := &fakeBuilder{fakeEvaluator: flat(func(m *mutate.Mutant) bool { return len(m.Edits) == 1 })}
	var accepting atomic.Bool
	var began atomic.Int32
	b.err = func(int) error {
		if accepting.Load() {
			began.Add(1)
		}
		return nil
	}
	_, err := Search(context.Background(), grid(30, operators, 1), b, Options{
		Workers: 4, Generations: 1,
		Accept: func(context.Context, *mutate.Mutant, fitness.Result) (bool, error) {
			began.Store(0)
			accepting.Store(true)
			for range 1000 {
				runtime.Gosched()
			}
			accepting.Store(false)
			if n := began.Load(); n > 1 { // one had passed the gate already
				t.Errorf("%d batches were begun meanwhile", n)
			}
			return false, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What cannot be prepared ends the search where it stands in the order.
func TestPrepareFails(t *testing.T) {
	broken := errors.New("no space left on device")
	b := &fakeBuilder{fakeEvaluator: flat(never)}
	b.err = func(batch int) error {
		if batch == 3 {
			return broken
		}
		return nil
	}
	r, err := Search(context.Background(), grid(20, operators, 1), b, Options{Workers: 3})
	if !errors.Is(err, broken) || r.Ended != Stopped || r.Evaluations != firstBatch+2*firstBatch {
		t.Errorf("ended %s after %d evaluations: %v", r.Ended, r.Evaluations, err)
	}
	if b.releases != 1 {
		t.Errorf("%d releases", b.releases)
	}
}

// A batch that is being built when Accept begins is stopped, and built again afterwards.
func TestAcceptStopsBuilding(t *testing.T) {
	b := &fakeBuilder{fakeEvaluator: flat(func(m *mutate.Mutant) bool { return len(m.Edits) == 1 })}
	blocked, began := make(chan struct{}), make(chan struct{})
	b.wait = func(ctx context.Context, batch int) error {
		if batch != 2 {
			return nil
		}
		close(began)
		<-ctx.Done() // hangs if nobody stops it
		close(blocked)
		return ctx.Err()
	}
	b.before = func(context.Context, *mutate.Mutant) error {
		<-began // else Accept might keep the batch from being begun
		return nil
	}
	accepts := 0
	_, err := Search(context.Background(), grid(30, operators, 1), b, Options{
		Workers: 1, Generations: 1,
		Accept: func(context.Context, *mutate.Mutant, fitness.Result) (bool, error) {
			if accepts++; accepts == 1 {
				<-blocked
			}
			return false, nil
		},
	})
	if err != nil || b.missed > 0 {
		t.Errorf("%d mutants were not prepared: %v", b.missed, err)
	}
	if len(b.batches) < 3 || len(b.batches[1]) == 0 || !slices.Equal(b.batches[1], b.batches[2]) {
		t.Errorf("batches %v, want the second twice", b.batches)
	}
}
