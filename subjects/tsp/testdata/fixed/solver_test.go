package tsp

import (
	"slices"
	"testing"
)

// The branches of the search through these cities improve on one another: the
// first one finds tours of 42, 41 and 37, the shortest of all has 35.
var five = Distances{
	{0, 6, 5, 9, 5},
	{6, 0, 11, 14, 9},
	{5, 11, 0, 6, 5},
	{9, 14, 6, 0, 11},
	{5, 9, 5, 11, 0},
}

// shortest tries all tours that begin with a path.
func shortest(d Distances, tour []int) int {
	if len(tour) == len(d) {
		return d.Length(tour)
	}
	best := 0
	for city := range d {
		if slices.Contains(tour, city) {
			continue
		}
		if length := shortest(d, append(slices.Clone(tour), city)); best == 0 || length < best {
			best = length
		}
	}
	return best
}

func TestSolve(t *testing.T) {
	tour, length, err := Solve(five, 2)
	if err != nil {
		t.Fatal(err)
	}
	if want := shortest(five, []int{0}); length != want {
		t.Errorf("the best tour has length %d, want %d", length, want)
	}
	if got := five.Length(tour); got != length {
		t.Errorf("tour %v has length %d, not %d", tour, got, length)
	}
	sorted := slices.Sorted(slices.Values(tour))
	if !slices.Equal(sorted, []int{0, 1, 2, 3, 4}) {
		t.Errorf("tour %v does not visit each city once", tour)
	}
}

func TestSolveSmall(t *testing.T) {
	if tour, length, err := Solve(Distances{{0}}, 2); err != nil || len(tour) != 1 || length != 0 {
		t.Errorf("one city: %v, %d, %v", tour, length, err)
	}
	if tour, length, err := Solve(Distances{{0, 7}, {7, 0}}, 1); err != nil || !slices.Equal(tour, []int{0, 1}) || length != 14 {
		t.Errorf("two cities: %v, %d, %v", tour, length, err)
	}
	if _, _, err := Solve(Distances{{0, 7}, {6, 0}}, 1); err == nil {
		t.Error("distances that differ by direction were accepted")
	}
}
