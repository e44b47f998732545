package jobqueue

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkWorkload has clients whose jobs compute something.
func BenchmarkWorkload(b *testing.B) {
	const clients, each = 3, 60
	for b.Loop() {
		q := New(runtime.GOMAXPROCS(0))
		batch := NewBatch(q)
		var sum atomic.Int64
		var wg sync.WaitGroup
		for c := range clients {
			wg.Go(func() {
				for i := range each {
					batch.Add(func() { sum.Add(int64(collatz(10_000 + c*each + i))) })
				}
			})
		}
		wg.Wait()
		q.Close()
		if batch.Done() != clients*each || sum.Load() == 0 {
			b.Fatalf("%d jobs done, sum %d", batch.Done(), sum.Load())
		}
	}
}

// collatz counts the steps that all numbers up to n take to come to 1, sampled.
func collatz(n int) int {
	steps := 0
	for m := n; m > n-200; m-- {
		for k := m; k != 1; steps++ {
			if k%2 == 0 {
				k /= 2
			} else {
				k = 3*k + 1
			}
		}
	}
	return steps
}
