package bubblesort2

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// Several slices are sorted at once, longer ones and with equal elements. It fails
// if the comparison has a section of its own: elements in order are exchanged then,
// and the count is too high.
func TestWiderSort(t *testing.T) {
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			numbers := rand.New(rand.NewPCG(seed, 0))
			for n := range 12 {
				var array []int
				for range n {
					array = append(array, numbers.IntN(7)-3)
				}
				checkSort(t, array)
			}
		})
	}
	wg.Wait()
}

func checkSort(t *testing.T, array []int) {
	input, want := slices.Clone(array), 0
	for i := range array {
		for _, before := range array[:i] {
			if before > array[i] {
				want++
			}
		}
	}
	if swaps := Sort(array); swaps != want || !slices.IsSorted(array) {
		t.Errorf("%v sorted: %v with %d exchanges, want %d", input, array, swaps, want)
	}
}
