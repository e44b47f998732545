package buffer

import (
	"sync"
	"testing"
)

// BenchmarkWorkload has producers and consumers that compute something for each
// item, which they can do side by side; they meet at the buffer.
func BenchmarkWorkload(b *testing.B) {
	const workers, each, capacity = 3, 100, 16
	for b.Loop() {
		buffer := New(capacity)
		taken := make([]int, workers)
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() {
				for item := range each {
					buffer.Put(divisors(20_000 + i*each + item))
				}
			})
			wg.Go(func() {
				for range each {
					taken[i] += divisors(20_000 + buffer.Take())
				}
			})
		}
		wg.Wait()
		if got := buffer.Len(); got != 0 {
			b.Fatalf("%d items are left", got)
		}
	}
}

// divisors counts the divisors of n.
func divisors(n int) int {
	count := 0
	for i := 1; i <= n; i++ {
		if n%i == 0 {
			count++
		}
	}
	return count
}
