package linkedlist

import (
	"sync"
	"testing"
)

// BenchmarkWorkload has several goroutines look for primes, each in a range of
// its own, and insert them in common lists. The search can go on side by side.
func BenchmarkWorkload(b *testing.B) {
	const lists, writers, each = 2, 4, 2500
	for b.Loop() {
		var primes [lists]List
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for x := w * each; x < (w+1)*each; x++ {
					if prime(x) {
						l := &primes[x/2%lists]
						l.Insert(x, l.Zeroth())
					}
				}
			})
		}
		wg.Wait()
		if got, want := primes[0].Len()+primes[1].Len(), 1229; got != want {
			b.Fatalf("%d primes, want %d", got, want)
		}
	}
}

// prime tries all divisors.
func prime(x int) bool {
	for d := 2; d < x; d++ {
		if x%d == 0 {
			return false
		}
	}
	return x > 1
}
