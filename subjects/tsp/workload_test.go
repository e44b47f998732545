package tsp

import (
	"math"
	"math/rand/v2"
	"runtime/debug"
	"testing"
)

// BenchmarkWorkload solves a larger instance with several workers, which share
// no more than the queue and the best tour. The first tour that is tried is the
// best one already, so that the amount of work hardly depends on who is first.
func BenchmarkWorkload(b *testing.B) {
	const cities, seed, want = 13, 36, 3019
	d := scattered(cities, seed)
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // the collector is not what is measured
	for b.Loop() {
		if _, length, err := Solve(d, 4); err != nil || length != want {
			b.Fatalf("the best tour has length %d, want %d; error: %v", length, want, err)
		}
	}
}

// scattered places a number of cities at random.
func scattered(cities int, seed uint64) Distances {
	r := rand.New(rand.NewPCG(seed, 0))
	x, y := make([]float64, cities), make([]float64, cities)
	d := make(Distances, cities)
	for a := range d {
		x[a], y[a] = r.Float64(), r.Float64()
		d[a] = make([]int, cities)
		for b := range a {
			d[a][b] = int(1000 * math.Hypot(x[a]-x[b], y[a]-y[b]))
			d[b][a] = d[a][b]
		}
	}
	return d
}
