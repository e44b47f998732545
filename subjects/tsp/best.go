package tsp

import (
	"math"
	"slices"
)

// A best keeps the shortest tour found so far, which all workers use as a
// bound.
type best struct {
	tour   []int // nil: none yet
	length int
}

func newBest() *best {
	return &best{length: math.MaxInt}
}

// promising reports whether a tour of a length would be shorter than the best.
func (b *best) promising(length int) bool {
	return length < b.length
}

// offer keeps a tour if it is shorter than the best.
func (b *best) offer(tour []int, length int) {
	if length < b.length {
		b.tour = slices.Clone(tour)
		b.length = length
	}
}
