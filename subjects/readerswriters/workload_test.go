package readerswriters

import (
	"sync"
	"testing"
)

// BenchmarkWorkload has readers that go through a large pool, which they can do
// side by side, and writers now and then.
func BenchmarkWorkload(b *testing.B) {
	const readers, writers, records, reads, updates = 4, 2, 20_000, 250, 10
	for b.Loop() {
		p := NewPool(records)
		var wg sync.WaitGroup
		for range readers {
			wg.Go(func() {
				for range reads {
					if sum := p.Sum(); sum%records != 0 {
						b.Errorf("the records, whose sum is %d, belong to different versions", sum)
					}
				}
			})
		}
		for range writers {
			wg.Go(func() {
				for range updates {
					p.Update()
				}
			})
		}
		wg.Wait()
		if got, want := p.Update(), writers*updates+1; got != want {
			b.Fatalf("version %d, want %d", got, want)
		}
	}
}
