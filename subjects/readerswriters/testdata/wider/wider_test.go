package readerswriters

import (
	"sync"
	"testing"
)

// Readers read, add up and look whether the pool is idle, beside several writers.
// It fails if only some statements of beforeRead are guarded, or if a reader that
// waits does so without the lock.
func TestWiderPool(t *testing.T) {
	const n, updates, rounds = 8, 30, 40
	p := NewPool(n)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for last := 0; last < updates*2; {
				last = p.Update()
			}
		})
		wg.Go(func() {
			for range rounds {
				if sum := p.Sum(); sum%n != 0 {
					t.Errorf("records of several versions add up to %d", sum)
				}
			}
		})
		wg.Go(func() {
			for range rounds {
				records := p.Read()
				for _, r := range records {
					if r != records[0] {
						t.Errorf("records of several versions: %v", records)
						break
					}
				}
				_ = p.Idle()
			}
		})
	}
	wg.Wait()
	if !p.Idle() {
		t.Errorf("the monitor takes the pool for busy: %+v", p.monitor)
	}
}
