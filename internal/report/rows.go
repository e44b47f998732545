package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mendel/checker/sched"
)

// Marks of rows.
const (
	markNone     = ' '
	markSwitch   = '▶'
	markFailure  = '✗'
	markBlocked  = '■'
	markLifeline = '│'
	markHeld     = '┃'
)

const (
	keptBefore = 3  // steps kept before a switch: guessed
	keptAfter  = 1  // and after it
	maxRows    = 90 // of a table; the middle of a longer one is left out
	keptRows   = 60 // at its end
)

// A row of the table is in the column of one goroutine.
type row struct {
	g     int
	where string
	mark  rune
	lead  string // "waits", "holds", "fails"; "" for a plain step
	what  string // operation
	line  string // of source
	tail  string // never cut: the goroutine that is started
	at    int    // index of the event; len(trace) for what stands after the end
	event int    // whose operation is told: at, or a later one on the same line
	place sched.Place
	steps int  // of a fold: how many are left out; else 0
	keep  bool // must not be folded or left out
	times int  // equal rows in a row; 0 and 1 are the same
	end   bool // the goroutine's last
	all   bool // a fold over several goroutines
}

// compose makes the rows of the goroutines that have a column.
func compose(t *timeline, s *sources) []row {
	var rows []row
	before := 0 // goroutine of the step before; the first step is no switch
	failed := slices.Max(append(slices.Collect(maps.Keys(t.marks)), -1))
	for i, e := range t.trace {
		if e.Kind == sched.KindExit && failed >= 0 && i > failed && (!drawings[t.kind].unwinds || e.G == t.trace[failed].G) {
			continue // the failure was its end
		}
		switched := e.G != before
		before = e.G
		if !slices.Contains(t.shown, e.G) {
			continue
		}
		if r, ok := stepRow(t, s, i); ok {
			if switched {
				r.mark = markSwitch
			}
			rows = append(rows, r)
		} else if switched {
			before = -1 // the mark is for the first row that is there
		}
		for _, p := range t.marks[i] {
			rows = append(rows, failureRow(t, s, i, p))
			before = e.G
		}
		for _, p := range t.seen[i] {
			r := row{g: e.G, where: t.where(p), mark: markNone, lead: p.What, at: i, event: i, place: p, keep: true}
			r.line = s.line(p.File, p.Line)
			rows = append(rows, r)
		}
	}
	return append(rows, stuckRows(t, s)...)
}

// stepRow is the row of a step; none for the start of a goroutine, which its
// creator's row tells, and for steps outside the program.
func stepRow(t *timeline, s *sources, i int) (row, bool) {
	e := t.trace[i]
	switch {
	case e.Kind == sched.KindExit:
		return row{g: e.G, line: "ends", at: i, event: i, end: true, mark: markNone}, true
	case e.Kind == sched.KindStart:
		return row{}, false
	}
	r := row{g: e.G, where: t.where(e.Place), at: i, event: i, place: e.Place, mark: markNone}
	r.what, r.line = oneLine(e.What), s.line(e.Place.File, e.Place.Line)
	if e.Unwinds && !showsOperation(r.line, r.what) {
		r.line = "deferred" // its line is that of the panic
	}
	if child, ok := t.child[i]; ok {
		r.keep = slices.Contains(t.shown, child)
		r.tail = "⇒ " + nickname(t.names[child], r.where)
	}
	r.keep = r.keep || t.key[i]
	return r, true
}

// nickname shortens a goroutine's name where its place of creation is beside it.
func nickname(name, where string) string {
	if rest, ok := strings.CutPrefix(name, where); ok {
		return rest
	}
	return oneLine(name)
}

// failureRow is the row of a place of the failure.
func failureRow(t *timeline, s *sources, at int, p sched.Place) row {
	r := row{g: t.trace[at].G, where: t.where(p), mark: markFailure, at: at, event: at, place: p, keep: true}
	if g := slices.Index(t.names, p.Goroutine); g >= 0 {
		r.g = g
	}
	r.line = s.line(p.File, p.Line)
	if at == t.effect && t.trace[at].Kind == sched.KindSelect {
		closed := t.trace[t.cause].Place
		if c := s.sendingCase(p.File, p.Line, s.line(closed.File, closed.Line)); c != "" {
			r.line = c
		}
	}
	if r.lead = drawings[t.kind].lead; r.lead == "" {
		r.lead = oneLine(p.What)
	}
	return r
}

// stuckRows are the last rows: goroutines that are blocked for ever.
func stuckRows(t *timeline, s *sources) []row {
	var rows []row
	for _, p := range t.stuck {
		g := slices.Index(t.names, p.Goroutine)
		if g < 0 || !slices.Contains(t.shown, g) {
			continue
		}
		r := row{g: g, where: t.where(p), mark: markBlocked, lead: "waits", at: len(t.trace), place: p, keep: true}
		r.what, r.line = oneLine(p.What), s.line(p.File, p.Line)
		rows = append(rows, r)
		for _, a := range t.held {
			if a.g == g {
				e := t.trace[a.at]
				r := row{g: g, where: t.where(e.Place), mark: markNone, lead: "holds", at: len(t.trace), keep: true}
				r.what, r.line = oneLine(e.What), s.line(e.Place.File, e.Place.Line)
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// collapse makes one row of those that follow each other on one line: equal
// ones are counted, and what leads up to the start of a goroutine is left out.
func collapse(rows []row) []row {
	var out []row
	for _, r := range rows {
		n := len(out)
		if r.end && n > 0 && out[n-1].g == r.g && out[n-1].where == "" && out[n-1].mark == markNone && !out[n-1].end {
			out[n-1] = r // what a goroutine does outside the program at its end, as wg.Go's
			continue
		}
		if n == 0 || r.mark != markNone || r.end || !sameLine(&out[n-1], &r) {
			out = append(out, r)
			continue
		}
		last := &out[n-1]
		last.keep = last.keep || r.keep
		switch {
		case last.what == r.what && last.tail == r.tail:
			last.times = max(last.times, 1) + 1
		case last.tail == "" && last.times <= 1:
			last.what, last.tail, last.event = r.what, r.tail, r.event
		default:
			out = append(out, r)
		}
	}
	return out
}

// sameLine reports whether two rows are steps of one goroutine on one line.
func sameLine(a, b *row) bool {
	return a.g == b.g && a.where == b.where && a.where != "" && a.lead == "" && b.lead == "" && a.steps == 0
}

// shorten folds the middle of long stretches of one goroutine and, in a table
// that is still too long, what lies before its last rows.
func shorten(rows []row) []row {
	var out []row
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].g == rows[from].g && rows[to].mark != markSwitch {
			to++
		}
		out = append(out, foldStretch(rows[from:to])...)
		from = to
	}
	if len(out) <= maxRows {
		return out
	}
	first := maxRows - keptRows
	middle := fold(out[first:len(out)-keptRows], func(r row) bool { return r.mark == markFailure || r.mark == markBlocked })
	return slices.Concat(out[:first], middle, out[len(out)-keptRows:])
}

// foldStretch folds what is neither near a switch nor kept for another reason.
func foldStretch(rows []row) []row {
	return foldAt(rows, func(i int) bool {
		near := i < keptAfter || i >= len(rows)-keptBefore
		for k := i + 1; k <= i+keptBefore && k < len(rows); k++ {
			near = near || rows[k].mark == markFailure // and what led to an access
		}
		return near || rows[i].keep
	})
}

func fold(rows []row, keep func(row) bool) []row {
	return foldAt(rows, func(i int) bool { return keep(rows[i]) })
}

// foldAt replaces each run of two rows and more that are not kept by one.
func foldAt(rows []row, keep func(int) bool) []row {
	var out []row
	for i := 0; i < len(rows); {
		if keep(i) {
			out = append(out, rows[i])
			i++
			continue
		}
		from := i
		f := row{g: rows[i].g, at: rows[i].at, mark: rows[i].mark}
		for ; i < len(rows) && !keep(i); i++ {
			f.steps += max(rows[i].steps, rows[i].times, 1)
			f.all = f.all || rows[i].g != f.g
		}
		if i-from < 2 {
			out = append(out, rows[from])
			continue
		}
		if f.mark != markSwitch || f.all {
			f.mark = markNone
		}
		f.line = fmt.Sprintf("… %s", count(f.steps, "step"))
		out = append(out, f)
	}
	return out
}

// anyWidth is room for every text.
const anyWidth = 1 << 20

// text is what stands in a row's cell, in at most room columns. The operation
// is left out where the line shows it.
func (r *row) text(room int) string {
	tail := r.tail
	if r.times > 1 {
		tail = strings.TrimSpace(fmt.Sprintf("%s ×%d", tail, r.times))
	}
	if tail != "" {
		tail = "  " + tail
	}
	lead := ""
	if r.lead != "" {
		lead = r.lead + ": "
	}
	room = max(room-width(tail), 4)
	text := clipRight(lead+r.line, room)
	if r.what != "" && (r.line == "" || !showsOperation(strings.TrimPrefix(text, lead), r.what)) {
		lead = r.what + ": "
		if r.lead != "" {
			lead = fmt.Sprintf("%s (%s): ", r.lead, r.what)
		}
		text = clipRight(strings.TrimSuffix(lead+r.line, ": "), room)
	}
	return text + tail
}
