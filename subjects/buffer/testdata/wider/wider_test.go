package buffer

import (
	"slices"
	"sync"
	"testing"
)

// Plants of other sizes: more consumers than producers and the other way round,
// with shares that differ. It fails if a larger buffer makes the meeting rarer, or
// if a signal can still wake one of the wrong kind.
func TestWiderPlants(t *testing.T) {
	for range 60 {
		for _, size := range []struct{ producers, consumers, capacity int }{{3, 2, 1}, {2, 3, 1}, {4, 4, 2}, {1, 3, 1}, {3, 1, 1}} {
			p := NewPlant(size.producers, size.consumers, size.capacity)
			var reader sync.WaitGroup
			reader.Go(func() {
				for range 5 {
					if n := p.Buffer().Len(); n < 0 || n > size.capacity || p.Buffer().String() == "" {
						t.Errorf("%d items in a buffer for %d", n, size.capacity)
					}
				}
			})
			all := slices.Concat(p.Run(5)...)
			reader.Wait()
			slices.Sort(all)
			if len(all) != 5*size.producers || len(slices.Compact(all)) != 5*size.producers {
				t.Errorf("%+v: consumers took %v", size, all)
			}
		}
	}
}
