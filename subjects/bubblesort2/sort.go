// Package bubblesort2 sorts by exchanging neighbours, with one goroutine for
// each pass over the slice. It counts the exchanges, which tell how far from
// sorted the slice was.
package bubblesort2

import "sync"

// A sorter sorts one slice.
type sorter struct {
	passes sync.WaitGroup

	mu    sync.Mutex // guards the exchanges
	array []int
	swaps int
}

// Sort sorts a slice in increasing order. It returns the number of exchanges,
// which is that of the pairs of elements that were in the wrong order.
func Sort(array []int) int {
	s := &sorter{array: array}
	for !s.sorted() {
		s.round()
	}
	return s.swaps
}

// sorted reports whether all neighbours are in order. No pass may be under way.
func (s *sorter) sorted() bool {
	for i := 1; i < len(s.array); i++ {
		if s.array[i-1] > s.array[i] {
			return false
		}
	}
	return true
}

// round makes as many passes as there can be at most. They follow one another
// closely; now and then one overtakes the other and leaves something for the
// next round.
func (s *sorter) round() {
	s.start(len(s.array) - 1)
	s.passes.Wait()
}

// start starts a pass up to the element with index last.
func (s *sorter) start(last int) {
	s.passes.Add(1)
	go func() {
		defer s.passes.Done()
		s.pass(last)
	}()
}

// pass moves the largest of the elements up to last to the end of them. As
// soon as it has left the first element, it lets the next pass follow.
func (s *sorter) pass(last int) {
	for i := range last {
		if s.array[i] > s.array[i+1] {
			s.swap(i)
		}
		if i == 0 && last > 1 {
			s.start(last - 1)
		}
	}
}

// swap exchanges the element with index i and the one behind it.
func (s *sorter) swap(i int) {
	s.mu.Lock()
	s.array[i], s.array[i+1] = s.array[i+1], s.array[i]
	s.swaps++
	s.mu.Unlock()
}
