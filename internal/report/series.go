package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// failureWidth is how much of a failure a series' table shows, in columns.
const failureWidth = 48

// A Series is what became of several packages, one row each.
type Series struct {
	Rows     []SeriesRow
	Seconds  float64 // spent
	Budget   float64 // seconds
	Untested int     // packages without tests
	Notes    []string
	Combined []CombinedPatch // files as a reader can name them from where he is
}

// A SeriesRow is a package of a series.
type SeriesRow struct {
	Name     string
	Failures []string // messages, most informative first
	Status   string   // in words
	Fixed    bool
	Offered  bool     // there is a fix that is not validated to the end
	Reason   string   // when there is no fix
	Patches  []string // files: of the best fix, or those that cover some failures only
	Seconds  float64  // 0: it was not tried
}

// Print writes the table, the reasons where there is no fix, and how to apply
// the fixes.
func (s Series) Print(w io.Writer) error {
	lines := [][]string{{"package", "failure", "status", "patch", "seconds"}}
	for _, r := range s.Rows {
		lines = append(lines, r.cells())
	}
	var b strings.Builder
	columns(&b, lines)
	b.WriteString("\n" + wrap(s.total(), textWidth, "", ""))
	if s.Untested > 0 {
		b.WriteString(oneLine(count(s.Untested, "package")) + " without tests left out.\n")
	}
	for _, r := range s.Rows {
		if !r.Fixed && r.Reason != "" {
			reason, _, _ := strings.Cut(r.Reason, "\n")
			b.WriteString(wrap(oneLine(fmt.Sprintf("%s: %s: %s", r.Name, r.Status, reason)), textWidth, "", "  "))
		}
		switch {
		case r.Fixed || len(r.Patches) == 0:
		case r.Offered:
			b.WriteString("  --write leaves " + oneLine(r.Patches[0]) + " out, unless --force is given\n")
		default:
			b.WriteString("  some of its failures are fixed by " + oneLine(list(r.Patches)) + "\n")
		}
	}
	for _, c := range s.Combined {
		if c.Patch != "" {
			b.WriteString("All fixes together: " + oneLine(c.Patch) + "\n")
		}
		if c.Problem != "" {
			problem, _, _ := strings.Cut(c.Problem, "\n")
			b.WriteString(wrap("All fixes together: "+oneLine(problem), textWidth, "", "  "))
		}
	}
	for _, note := range s.Notes {
		b.WriteString(wrap("note: "+oneLine(note), textWidth, "", "  "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cells are the row in the table.
func (r SeriesRow) cells() []string {
	failure, patch, seconds := "-", "-", "-"
	if len(r.Failures) > 0 {
		failure = clip(oneLine(r.Failures[0]), failureWidth)
	}
	if more := len(r.Failures) - 1; more > 0 {
		failure += fmt.Sprintf(" (+%d)", more)
	}
	if len(r.Patches) > 0 {
		patch = oneLine(r.Patches[0])
	}
	if r.Seconds > 0 {
		seconds = fmt.Sprintf("%.1f", r.Seconds)
	}
	return []string{oneLine(r.Name), failure, cmp.Or(r.Status, "-"), patch, seconds}
}

// total counts the packages by status.
func (s Series) total() string {
	counts := map[string]int{}
	var order []string
	for _, r := range s.Rows {
		if counts[r.Status] == 0 {
			order = append(order, r.Status)
		}
		counts[r.Status]++
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	parts := make([]string, len(order))
	for i, status := range order {
		parts[i] = fmt.Sprintf("%d %s", counts[status], status)
	}
	spent := time.Duration(s.Seconds * float64(time.Second)).Round(100 * time.Millisecond)
	budget := time.Duration(s.Budget * float64(time.Second))
	return fmt.Sprintf("%s: %s; %v of %v.", count(len(s.Rows), "package"), list(parts), spent, budget)
}

// columns writes lines of cells in columns; the last one is of numbers.
func columns(b *strings.Builder, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	last := len(widths) - 1
	for _, cells := range lines {
		for i, cell := range cells[:last] {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		b.WriteString(strings.Repeat(" ", widths[last]-utf8.RuneCountInString(cells[last])) + cells[last] + "\n")
	}
}
