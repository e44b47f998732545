package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// countWords is "exhausted 3, passed 1".
func countWords[K ~string](counts map[K]int) string {
	var words []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%s %d", k, counts[k]))
	}
	return strings.Join(words, ", ")
}

// boundWords is a bound on preemptions.
func boundWords(bound int) string {
	switch bound {
	case -1:
		return "any number of preemptions"
	case 1:
		return "1 preemption"
	}
	return fmt.Sprintf("%d preemptions", bound)
}

// firstLine is the first line of a text, which may go on with stacks.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ":")
}

// positiveOrDash formats a value, "-" for none.
func positiveOrDash(format string, value float64) string {
	if value <= 0 {
		return "-"
	}
	return fmt.Sprintf(format, value)
}

// middle formats the median of some values, "-" if there are none.
func middle(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%g", median(values))
}

// whole formats the mean of some values as an integer, "-" if there are none.
func whole(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", average(values))
}

// mebibytes formats a number of bytes.
func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
