package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"mendel/internal/dossier"
)

// Table writes a dossier's trace as [Interleaving] does an execution, with a
// heavy lifeline while a goroutine holds a lock:
//
//	┃  the goroutine stands still and holds a lock
//
// The table has at most so many columns, 0 stands for 100. Where not all goroutines
// fit, those that the trace is about and their creators are shown and the others
// listed in one line.
func Table(w io.Writer, t *dossier.Trace, columns int, color bool) error {
	if columns <= 0 {
		columns = defaultWidth
	}
	columns = max(columns, minWidth)
	var b strings.Builder
	l, rows := traceLayout(t, columns, color)
	l.header(&b)
	for i := range rows {
		l.row(&b, nil, &rows[i])
	}
	b.WriteString("\n")
	for _, line := range traceFootnotes(t, l, rows) {
		b.WriteString(l.paint(dim, strings.TrimSuffix(wrap(line, columns, "", "  "), "\n")) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// traceLayout places the columns and makes the rows of those that are shown.
func traceLayout(t *dossier.Trace, columns int, color bool) (*layout, []row) {
	l := &layout{color: color, column: map[int]int{}}
	files := shortNames(t)
	for _, r := range t.Rows {
		l.gutter = max(l.gutter, width(traceWhere(r, files)))
	}
	l.gutter = min(l.gutter, maxGutter)
	shown := traceColumns(t, columns-l.gutter-1)
	for i, g := range shown {
		l.column[g] = i
		l.names = append(l.names, oneLine(t.Goroutines[g]))
	}
	var rows []row
	from := make([]int, len(t.Rows)) // index in rows of the first that comes of one of the trace
	for i, r := range t.Rows {
		from[i] = len(rows)
		if slices.Contains(shown, r.G) {
			rows = append(rows, traceRows(t, r, traceWhere(r, files))...)
		}
	}
	l.widths(columns, rows)
	l.first, l.last = make([]int, len(shown)), make([]int, len(shown))
	for c, g := range shown {
		l.first[c], l.last[c] = traceLife(t, g, from, len(rows))
	}
	l.holds = func(c, i int) bool {
		return slices.ContainsFunc(t.Bars, func(bar dossier.Bar) bool {
			return bar.G == shown[c] && from[bar.From] <= i && (bar.To < 0 || i < from[bar.To])
		})
	}
	return l, rows
}

// shortNames are the names of a trace's files by their paths: the last part,
// unless two files have that.
func shortNames(t *dossier.Trace) map[string]string {
	names, paths := map[string]string{}, map[string]string{}
	for _, r := range t.Rows {
		base := path.Base(r.File)
		if first, taken := paths[base]; taken && first != r.File {
			names[first], names[r.File] = first, r.File
			continue
		}
		paths[base] = r.File
		if names[r.File] == "" {
			names[r.File] = base
		}
	}
	return names
}

// traceWhere is the position of a row as the table has it.
func traceWhere(r dossier.Row, files map[string]string) string {
	if r.File == "" {
		return ""
	}
	return oneLine(fmt.Sprintf("%s:%d", files[r.File], r.Line))
}

// opEnds is the operation of a goroutine's last row, as Lanes words it.
const opEnds = "ends"

// traceRows are the rows of the table for one of the trace: itself, and the fold
// after it.
func traceRows(t *dossier.Trace, r dossier.Row, where string) []row {
	out := row{g: r.G, where: where, line: oneLine(expandTabs(r.Text)), mark: markNone, end: r.Op == opEnds}
	op, times, _ := strings.Cut(oneLine(r.Op), " ×")
	switch r.Mark {
	case dossier.Switched:
		out.mark = markSwitch
	case dossier.Conflict:
		out.mark, out.lead, op = markFailure, op, ""
	case dossier.Stuck:
		out.mark, out.lead, op = markBlocked, "waits", strings.TrimPrefix(op, "waits: ")
	}
	if method, _, _ := strings.Cut(op, " "); !strings.HasSuffix(method, "ock") || !showsOperation(out.line, method) {
		out.what = op
	}
	if r.Starts > 0 {
		out.tail = "⇒ " + nickname(t.Goroutines[r.Starts], where)
	}
	if times != "" {
		out.tail = strings.TrimSpace(out.tail + " ×" + times)
	}
	if r.Folded == 0 {
		return []row{out}
	}
	return []row{out, {g: r.G, mark: markNone, line: "… " + count(r.Folded, "step"), steps: r.Folded}}
}

// traceLife finds between which rows a goroutine is there: from after the step
// that starts it, or its first where none does, to its end or that of all.
func traceLife(t *dossier.Trace, g int, from []int, rows int) (first, last int) {
	first, last = rows, rows
	for i, r := range t.Rows {
		switch {
		case g == 0:
			first = 0
		case r.Starts == g:
			first = min(first, from[i]+1)
		case r.G == g:
			first = min(first, from[i])
		}
		if r.G == g && r.Op == opEnds {
			last = from[i]
		}
	}
	return first, last
}

// traceColumns decides which goroutines get a column, as timeline.show does.
func traceColumns(t *dossier.Trace, room int) []int {
	var order []int
	add := func(g int) {
		if !slices.Contains(order, g) {
			order = append(order, g)
		}
	}
	for _, i := range t.Conflict {
		if i >= 0 {
			add(t.Rows[i].G)
		}
	}
	if t.Cause != [2]int{} {
		add(t.Rows[t.Cause[0]].G)
	}
	for _, r := range t.Rows {
		if r.Mark == dossier.Conflict || r.Mark == dossier.Stuck {
			add(r.G)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, r := range t.Rows {
			if r.Starts > 0 && r.Starts == order[i] {
				add(r.G)
			}
		}
	}
	essential := len(order)
	for _, r := range t.Rows {
		add(r.G)
	}
	if len(order) == 0 {
		return nil
	}
	n := max(1, room/(easyCell+gap))
	if n < essential {
		n = max(1, min(essential, room/(minCell+gap)))
	}
	return slices.Sorted(slices.Values(order[:min(n, len(order))]))
}

// anyHeld reports whether a lock is held at one of the first so many rows.
func (l *layout) anyHeld(rows int) bool {
	for c := range l.cells {
		for i := range rows {
			if l.holds(c, i) {
				return true
			}
		}
	}
	return false
}

// shownOthers is how many goroutines without a column are listed by name.
const shownOthers = 3

// traceFootnotes are what stands below the table: who is not shown, and what
// the marks mean.
func traceFootnotes(t *dossier.Trace, l *layout, rows []row) []string {
	var out, others []string
	hidden := t.Hidden
	for g, name := range t.Goroutines {
		switch _, shown := l.column[g]; {
		case shown:
		case len(others) < shownOthers:
			others = append(others, oneLine(name))
		default:
			hidden++
		}
	}
	if hidden > 0 {
		others = append(others, count(hidden, "more goroutine"))
	}
	if len(others) > 0 {
		out = append(out, fmt.Sprintf("Not shown: %s.", list(others)))
	}
	race := t.Conflict[0] >= 0 && t.Conflict[1] >= 0
	failed := slices.ContainsFunc(rows, func(r row) bool { return r.mark == markFailure })
	var legend []string
	for _, entry := range []struct {
		has  bool
		text string
	}{
		{slices.ContainsFunc(rows, func(r row) bool { return r.mark == markSwitch }), "▶ switch to this goroutine"},
		{slices.ContainsFunc(rows, func(r row) bool { return r.tail != "" }), "⇒ starts a goroutine"},
		{l.anyHeld(len(rows)), "┃ holds a lock"},
		{slices.ContainsFunc(rows, func(r row) bool { return r.mark == markBlocked }), "■ blocked for ever"},
		{failed && race, "✗ the racing accesses"},
		{failed && !race, "✗ the failure"},
	} {
		if entry.has {
			legend = append(legend, entry.text)
		}
	}
	if len(legend) > 0 {
		out = append(out, strings.Join(legend, " · "))
	}
	return out
}
