package readerswriters

import (
	"slices"
	"sync"
	"testing"
)

func TestPool(t *testing.T) {
	const readers, writers, reads, updates = 2, 2, 2, 1
	p := NewPool(16)
	var wg sync.WaitGroup
	for range readers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			last := 0
			for range reads {
				records := p.Read()
				oldest, newest := slices.Min(records), slices.Max(records)
				if oldest != newest || oldest < last {
					t.Errorf("a reader saw versions %d to %d after version %d", oldest, newest, last)
				}
				last = newest
			}
		}()
	}
	for range writers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range updates {
				p.Update()
			}
		}()
	}
	wg.Wait()

	if !p.Idle() {
		t.Errorf("the monitor takes the pool for busy: %+v", p.monitor)
	}
	if got := p.Update(); got != writers*updates+1 {
		t.Errorf("version %d after %d updates", got, writers*updates+1)
	}
}

func TestReadUpdate(t *testing.T) {
	p := NewPool(3)
	p.Update()
	p.Update()
	if got := p.Read(); !slices.Equal(got, []int{2, 2, 2}) {
		t.Errorf("after two updates: %v", got)
	}
	if got := p.Sum(); got != 6 {
		t.Errorf("after two updates the sum is %d, want 6", got)
	}
}
