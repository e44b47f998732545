package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// A table has a header and rows of the same length.
type table struct {
	header []string
	rows   [][]string
}

// add appends a row; values are formatted as by fmt.Sprint.
func (t *table) add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = fmt.Sprint(v)
	}
	t.rows = append(t.rows, row)
}

// extend appends cells to the last row.
func (t *table) extend(cells ...string) {
	last := len(t.rows) - 1
	t.rows[last] = append(t.rows[last], cells...)
}

// render writes the table as Markdown or as text.
func (t *table) render(w io.Writer, markdown bool) error {
	if markdown {
		return t.Markdown(w)
	}
	return t.Text(w)
}

// Text writes the table in columns, for a terminal.
func (t *table) Text(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.header}, t.rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}

// Markdown writes the table as Markdown.
func (t *table) Markdown(w io.Writer) error {
	rule := make([]string, len(t.header))
	for i := range rule {
		rule[i] = "---"
	}
	escape := strings.NewReplacer("|", `\|`, "\n", "<br>")
	for _, row := range append([][]string{t.header, rule}, t.rows...) {
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

// addCounts adds a row for each key, the most frequent first.
func addCounts(t *table, counts map[string]int) {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	for _, k := range keys {
		t.add(k, counts[k])
	}
}
