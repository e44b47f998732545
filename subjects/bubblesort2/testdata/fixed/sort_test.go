package bubblesort2

import (
	"slices"
	"testing"
)

// inversions counts the pairs that are in the wrong order.
func inversions(array []int) int {
	count := 0
	for i := range array {
		for j := range i {
			if array[j] > array[i] {
				count++
			}
		}
	}
	return count
}

func TestSort(t *testing.T) {
	for _, array := range [][]int{
		{5, 1, 4, 2, 3},
		{4, 3, 2, 1},
	} {
		input := slices.Clone(array)
		swaps := Sort(array)
		if want := slices.Sorted(slices.Values(input)); !slices.Equal(array, want) {
			t.Errorf("%v sorted: %v, want %v", input, array, want)
		}
		if want := inversions(input); swaps != want {
			t.Errorf("%v sorted with %d exchanges, want %d", input, swaps, want)
		}
	}
}

func TestSortTrivial(t *testing.T) {
	for _, array := range [][]int{nil, {1}, {1, 2}, {2, 2, 2}} {
		if swaps := Sort(array); swaps != 0 {
			t.Errorf("%v was sorted and took %d exchanges", array, swaps)
		}
	}
}
