package report

import (
	"fmt"
	"slices"
	"strings"

	"mendel/checker/sched"
)

// dim is the style of what frames the table.
const dim = "\x1b[2m"

// A layout is where the columns of a table are.
type layout struct {
	color  bool
	gutter int   // of positions, without the gap
	cells  []int // width by column
	column map[int]int
	names  []string
	first  []int // row at which the goroutine of a column begins to exist
	last   []int // row of its end
	drawn  int   // rows so far
	// holds reports whether the goroutine of a column holds a lock at a row; nil: it
	// is not shown.
	holds func(column, row int) bool
}

func newLayout(o InterleavingOptions, t *timeline, rows []row) *layout {
	l := &layout{color: o.Color, column: map[int]int{}}
	for i, g := range t.shown {
		l.column[g] = i
		l.names = append(l.names, oneLine(t.names[g]))
	}
	for _, r := range rows {
		l.gutter = max(l.gutter, width(r.where))
	}
	l.gutter = min(l.gutter, maxGutter)
	l.widths(o.Width, rows)
	l.lives(t, rows)
	return l
}

// widths gives each column what it needs and, where that is too much, an equal
// share of what the narrower ones leave.
func (l *layout) widths(total int, rows []row) {
	need := make([]int, len(l.names))
	for i, name := range l.names {
		need[i] = max(minCell, width(name)+2)
	}
	for _, r := range rows {
		if c := l.column[r.g]; !r.all {
			need[c] = max(need[c], width(r.text(anyWidth))+2)
		}
	}
	room := total - l.gutter - 1 - gap*len(need)
	l.cells = make([]int, len(need))
	order := make([]int, len(need))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return need[a] - need[b] })
	for k, c := range order {
		l.cells[c] = max(8, min(need[c], room/(len(order)-k)))
		room -= l.cells[c]
	}
}

// lives finds between which rows each goroutine exists.
func (l *layout) lives(t *timeline, rows []row) {
	l.first, l.last = make([]int, len(t.shown)), make([]int, len(t.shown))
	for c, g := range t.shown {
		born, died := -1, len(t.trace)+1
		for at, child := range t.child {
			if child == g {
				born = at
			}
		}
		if g > 0 && born < 0 { // started by a timer: exists when it is first seen
			born = slices.IndexFunc(t.trace, func(e sched.Event) bool { return e.G == g })
		}
		for at, e := range t.trace {
			if e.G == g && e.Kind == sched.KindExit {
				died = at
			}
		}
		l.first[c], l.last[c] = len(rows), 0
		for i, r := range rows {
			if r.at > born && i < l.first[c] {
				l.first[c] = i
			}
			if r.at < died {
				l.last[c] = i
			}
		}
	}
}

// header writes the names of the goroutines.
func (l *layout) header(b *strings.Builder) {
	line := strings.Repeat(" ", l.gutter+1)
	rule := strings.Repeat("─", l.gutter+1)
	for c, name := range l.names {
		cell := "  " + clipLeft(name, l.cells[c]-2)
		line += strings.Repeat(" ", gap) + l.paint(bold, pad(cell, l.cells[c]))
		rule += strings.Repeat("─", gap+l.cells[c])
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n" + l.paint(dim, rule) + "\n")
}

// row writes one row.
func (l *layout) row(b *strings.Builder, t *timeline, r *row) {
	i := l.drawn
	l.drawn++
	line := l.paint(dim, pad(clipLeft(r.where, l.gutter), l.gutter)) + " "
	if r.all {
		b.WriteString(strings.Repeat(" ", l.gutter+1+gap) + l.paint(dim, r.line+" of several goroutines") + "\n")
		return
	}
	for c := range l.cells {
		line += strings.Repeat(" ", gap)
		held := l.holds != nil && l.holds(c, i)
		if c == l.column[r.g] {
			mark := r.mark
			if held && mark == markNone {
				mark = markHeld
			}
			line += l.paint(styleOf(r), pad(string(mark)+" "+r.text(l.cells[c]-2), l.cells[c]))
			continue
		}
		rest := strings.Repeat(" ", l.cells[c]-1)
		if held {
			line += string(markHeld) + rest
		} else if i >= l.first[c] && i <= l.last[c] {
			line += l.paint(dim, string(markLifeline)) + rest
		} else {
			line += " " + rest
		}
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

func styleOf(r *row) string {
	switch {
	case r.mark == markFailure:
		return red
	case r.mark == markBlocked:
		return yellow
	case r.steps > 0, r.end:
		return dim
	case r.mark == markSwitch:
		return cyan
	}
	return ""
}

// paint puts text into a style if colours are wanted.
func (l *layout) paint(style, text string) string {
	if !l.color || style == "" || text == "" {
		return text
	}
	end := strings.TrimRight(text, " ")
	return style + end + plain + text[len(end):]
}

// footnotes are what stands below the table: who is not shown, and what the marks mean.
func footnotes(t *timeline, rows []row) []string {
	var out []string
	if text := unordered(t); text != "" {
		out = append(out, text)
	}
	out = append(out, unshown(t)...)
	has := func(f func(row) bool) bool { return slices.ContainsFunc(rows, f) }
	var legend []string
	if has(func(r row) bool { return r.mark == markSwitch }) {
		legend = append(legend, "▶ switch to this goroutine")
	}
	if has(func(r row) bool { return r.tail != "" }) {
		legend = append(legend, "⇒ starts a goroutine")
	}
	if has(func(r row) bool { return r.mark == markBlocked }) {
		legend = append(legend, "■ blocked for ever")
	}
	if drawings[t.kind].conflict && has(func(r row) bool { return r.mark == markFailure }) {
		legend = append(legend, "✗ the racing accesses")
	}
	if len(legend) > 0 {
		out = append(out, strings.Join(legend, " · "))
	}
	return out
}

// unordered says for a race which locks were held at each of the accesses.
func unordered(t *timeline) string {
	if !drawings[t.kind].conflict {
		return ""
	}
	var parts []string
	for at := range t.trace {
		for _, p := range t.marks[at] {
			g := t.trace[at].G
			var locks []string
			for _, a := range t.locksAfter(at) {
				if a.g == g {
					locks = append(locks, t.where(t.trace[a.at].Place))
				}
			}
			holds := "no lock held"
			if len(locks) > 0 {
				holds = "holding the lock taken at " + list(locks)
			}
			parts = append(parts, fmt.Sprintf("%s by %s, %s", p.What, p.Goroutine, holds))
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return oneLine("Nothing orders the accesses: " + strings.Join(parts, "; ") + ".")
}

// unshown lists the goroutines without a column, and those of them that are
// blocked by position.
func unshown(t *timeline) []string {
	var out []string
	var blocked []int
	by := map[string][]int{}
	var order []string
	for _, p := range t.stuck {
		g := slices.Index(t.names, p.Goroutine)
		if g < 0 || slices.Contains(t.shown, g) {
			continue
		}
		blocked = append(blocked, g)
		key := fmt.Sprintf("at %s (%s)", t.where(p), oneLine(p.What))
		if by[key] == nil {
			order = append(order, key)
		}
		by[key] = append(by[key], g)
	}
	for _, key := range order {
		out = append(out, fmt.Sprintf("Also blocked %s: %s.", key, t.group(by[key])))
	}
	var others []int
	steps := 0
	for g := range t.names {
		if !slices.Contains(t.shown, g) && !slices.Contains(blocked, g) {
			others = append(others, g)
		}
	}
	for _, e := range t.trace {
		if slices.Contains(others, e.G) {
			steps++
		}
	}
	if len(others) > 0 {
		out = append(out, fmt.Sprintf("Not shown: %s (%s).", t.group(others), count(steps, "step")))
	}
	return out
}

// group lists goroutines, those of one place together: "a.go:12#1 #3-#5, main".
func (t *timeline) group(gs []int) string {
	by := map[string][]string{}
	var sites []string
	for _, g := range gs {
		site, number, _ := strings.Cut(oneLine(t.names[g]), "#")
		if by[site] == nil {
			sites = append(sites, site)
		}
		by[site] = append(by[site], number)
	}
	var out []string
	for _, site := range sites {
		if by[site][0] == "" {
			out = append(out, site)
			continue
		}
		out = append(out, site+"#"+ranges(by[site]))
	}
	return strings.Join(out, ", ")
}

// ranges shortens ascending numbers: "1, 3-5".
func ranges(numbers []string) string {
	var parts []string
	value := func(s string) (n int) { fmt.Sscan(s, &n); return }
	for i := 0; i < len(numbers); {
		k := i
		for k+1 < len(numbers) && value(numbers[k+1]) == value(numbers[k])+1 {
			k++
		}
		switch {
		case k > i+1:
			parts = append(parts, numbers[i]+"-"+numbers[k])
		default:
			parts = append(parts, numbers[i:k+1]...)
		}
		i = k + 1
	}
	return strings.Join(parts, ",")
}
