package tables

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// A Table has a header and rows of the same length.
type Table struct {
	Header []string
	Rows   [][]string
}

// Add appends a row; values are formatted as by fmt.Sprint.
func (t *Table) Add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = fmt.Sprint(v)
	}
	t.Rows = append(t.Rows, row)
}

// Extend appends cells to the last row.
func (t *Table) Extend(cells ...string) {
	last := len(t.Rows) - 1
	t.Rows[last] = append(t.Rows[last], cells...)
}

// Render writes the table as Markdown or as text.
func (t *Table) Render(w io.Writer, markdown bool) error {
	if markdown {
		return t.markdown(w)
	}
	return t.text(w)
}

// text writes the table in columns, for a terminal.
func (t *Table) text(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}

// markdown writes the table as Markdown.
func (t *Table) markdown(w io.Writer) error {
	rule := make([]string, len(t.Header))
	for i := range rule {
		rule[i] = "---"
	}
	escape := strings.NewReplacer("|", `\|`, "\n", "<br>")
	for _, row := range append([][]string{t.Header, rule}, t.Rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escape.Replace(cell)
		}
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")); err != nil {
			return err
		}
	}
	return nil
}

// AddCounts adds a row for each key, the most frequent first.
func AddCounts(t *Table, counts map[string]int) {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	for _, k := range keys {
		t.Add(k, counts[k])
	}
}
