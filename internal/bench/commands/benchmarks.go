package main

import (
	"bufio"
	"bytes"
	"regexp"
	"strconv"
)

// A benchmark is one line of a benchmark's output.
type benchmark struct {
	name        string // "Switch/narrow"
	nanoseconds float64
}

// benchmarkLine is a result, "BenchmarkSwitch/narrow-2  1000  213.4 ns/op  ...".
var benchmarkLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// parseBenchmarks reads the output of benchmarks.
func parseBenchmarks(output []byte) []benchmark {
	var found []benchmark
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		if m := benchmarkLine.FindStringSubmatch(lines.Text()); m != nil {
			if ns, err := strconv.ParseFloat(m[2], 64); err == nil {
				found = append(found, benchmark{m[1], ns})
			}
		}
	}
	return found
}
