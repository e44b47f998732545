package commands

import (
	"bufio"
	"bytes"
	"regexp"
	"strconv"
)

// A Benchmark is one line of a benchmark's output.
type Benchmark struct {
	Name        string // "Switch/narrow"
	Nanoseconds float64
}

// benchmarkLine is a result, "BenchmarkSwitch/narrow-2  1000  213.4 ns/op  ...".
var benchmarkLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// ParseBenchmarks reads the output of benchmarks.
func ParseBenchmarks(output []byte) []Benchmark {
	var found []Benchmark
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		if m := benchmarkLine.FindStringSubmatch(lines.Text()); m != nil {
			if ns, err := strconv.ParseFloat(m[2], 64); err == nil {
				found = append(found, Benchmark{m[1], ns})
			}
		}
	}
	return found
}
