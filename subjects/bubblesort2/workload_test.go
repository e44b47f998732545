package bubblesort2

import (
	"slices"
	"sync"
	"testing"
)

// BenchmarkWorkload sorts several slices at the same time. The passes over one
// slice are sequential by nature: a step does nothing but compare and exchange
// two elements, and takes the lock for that.
func BenchmarkWorkload(b *testing.B) {
	const arrays, length = 4, 700
	for b.Loop() {
		var wg sync.WaitGroup
		for i := range arrays {
			wg.Go(func() {
				array := make([]int, length)
				for j := range array {
					array[j] = (j*j + i) * 7919 % 1009
				}
				Sort(array)
				if !slices.IsSorted(array) {
					b.Errorf("sorted: %v", array)
				}
			})
		}
		wg.Wait()
	}
}
