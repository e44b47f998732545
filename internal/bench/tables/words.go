package tables

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ProblemLines are what is wrong, each in a line of its own below another text.
func ProblemLines(problems []string) string {
	text := ""
	for _, p := range problems {
		text += "\n\tPROBLEM: " + p
	}
	return text
}

// CountWords is "exhausted 3, passed 1".
func CountWords[K ~string](counts map[K]int) string {
	var words []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%s %d", k, counts[k]))
	}
	return strings.Join(words, ", ")
}

// BoundWords is a bound on preemptions.
func BoundWords(bound int) string {
	switch bound {
	case -1:
		return "any number of preemptions"
	case 1:
		return "1 preemption"
	}
	return fmt.Sprintf("%d preemptions", bound)
}

// FirstLine is the first line of a text, which may go on with stacks.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ":")
}

// Percent is a share as "12 %".
func Percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// FormatPositive formats a value, "-" for none.
func FormatPositive(format string, value float64) string {
	if value <= 0 {
		return "-"
	}
	return fmt.Sprintf(format, value)
}

// FormatMedian formats the median of some values, "-" if there are none.
func FormatMedian(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%g", Median(values))
}

// FormatWhole formats the mean of some values as an integer, "-" if there are none.
func FormatWhole(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", Mean(values))
}

// Mebibytes formats a number of bytes.
func Mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
