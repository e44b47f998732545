// Package tsp finds the shortest round trip through a number of cities by
// branch and bound, with several workers.
package tsp

import (
	"fmt"
	"slices"
)

// Distances holds how far it is from one city to another, the same both ways.
// A city is an index.
type Distances [][]int

// check returns an error unless the distances are a symmetric table.
func (d Distances) check() error {
	for a := range d {
		if len(d[a]) != len(d) {
			return fmt.Errorf("city %d has %d distances, want %d", a, len(d[a]), len(d))
		}
		for b := range a {
			if d[a][b] != d[b][a] || d[a][b] < 0 {
				return fmt.Errorf("from city %d to %d it is %d, back %d", a, b, d[a][b], d[b][a])
			}
		}
	}
	return nil
}

// Length is the length of a round trip.
func (d Distances) Length(tour []int) int {
	sum := 0
	for i, city := range tour {
		sum += d[city][tour[(i+1)%len(tour)]]
	}
	return sum
}

// nearest tells for each city how far the nearest other one is.
func (d Distances) nearest() []int {
	nearest := make([]int, len(d))
	for a := range d {
		for b := range d {
			if b != a && (nearest[a] == 0 || d[a][b] < nearest[a]) {
				nearest[a] = d[a][b]
			}
		}
	}
	return nearest
}

// A path is the beginning of a tour.
type path struct {
	cities []int
	length int
	rest   int // lower bound of the way through the other cities and back
}

// last is the city where the path ends.
func (p path) last() int {
	return p.cities[len(p.cities)-1]
}

// contains reports whether the path leads through a city.
func (p path) contains(city int) bool {
	return slices.Contains(p.cities, city)
}
