package commands

import (
	"slices"
	"testing"
)

func TestParseBenchmarks(t *testing.T) {
	got := ParseBenchmarks([]byte(`goos: linux
goarch: amd64
BenchmarkHandOff-2         	 1000000	       213.4 ns/op
BenchmarkStep              	 5000000	        61 ns/op	       0 B/op	       0 allocs/op
BenchmarkSwitch/narrow-2   	  900000	       412.9 ns/op	      12 B/op	       0 allocs/op
BenchmarkSchedule-2        	   90000	      9012 ns/op	        21.00 steps/op
BenchmarkBroken-2
--- BENCH: BenchmarkStep
PASS
`))
	want := []Benchmark{{"HandOff", 213.4}, {"Step", 61}, {"Switch/narrow", 412.9}, {"Schedule", 9012}}
	if !slices.Equal(got, want) {
		t.Errorf("benchmarks %v, want %v", got, want)
	}
}
