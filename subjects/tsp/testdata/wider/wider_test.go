package tsp

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// Random cities, with more workers, and several searches at once. It fails if the
// bound is read without the lock, or if a tour may be kept with another one's
// length.
func TestWiderSolve(t *testing.T) {
	var wg sync.WaitGroup
	for seed := range uint64(6) {
		wg.Go(func() {
			numbers := rand.New(rand.NewPCG(seed, 0))
			d := make(Distances, 6)
			for a := range d {
				d[a] = make([]int, len(d))
				for b := range a {
					d[a][b] = 1 + numbers.IntN(20)
					d[b][a] = d[a][b]
				}
			}
			for workers := 1; workers <= 4; workers++ {
				tour, length, err := Solve(d, workers)
				if want := tryAll(d, []int{0}); err != nil || length != want || d.Length(tour) != length {
					t.Errorf("seed %d, %d workers: tour %v of length %d is said to have %d, want %d, %v", seed, workers, tour, d.Length(tour), length, want, err)
				}
			}
		})
	}
	wg.Wait()
}

// tryAll is the length of the shortest tour that begins with a path.
func tryAll(d Distances, tour []int) int {
	if len(tour) == len(d) {
		return d.Length(tour)
	}
	best := 0
	for city := range d {
		if slices.Contains(tour, city) {
			continue
		}
		if n := tryAll(d, append(slices.Clone(tour), city)); best == 0 || n < best {
			best = n
		}
	}
	return best
}
